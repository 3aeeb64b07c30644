import compress from '@fastify/compress';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createKeyroster } from 'keyroster';

class AppModule {} // yours, with its decorator
const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
const app = await NestFactory.create(AppModule, new FastifyAdapter());
app.enableCors();
await app.register(compress);
const onRequest = async ({ raw }, reply) => reply.send(await keyroster.fetch(raw));
const fastify = app.getHttpAdapter().getInstance();
fastify.all('/v1/organizations/api_keys', { onRequest }, () => {});
await app.listen(process.env.PORT);
process.once('SIGTERM', () => app.close().then(() => keyroster.close()));
