import { NestFactory } from '@nestjs/core';
import compression from 'compression';
import { createKeyroster } from 'keyroster';

class AppModule {} // yours, with its decorator
const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = await NestFactory.create(AppModule);
app.enableCors();
app.use(compression());
app.getHttpAdapter().all('/v1/organizations/api_keys', keyroster.handle);
await app.listen(process.env.PORT);
process.once('SIGTERM', () => app.close().then(() => keyroster.close()));
