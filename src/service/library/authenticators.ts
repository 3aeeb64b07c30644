/** Authenticators for `createKeyroster` (`import … from 'keyroster/authenticators'`). */
export { type JwtOptions, jwtAuthentication } from './authenticators/jwt.ts';
export { type SessionOptions, sessionAuthentication } from './authenticators/session.ts';
