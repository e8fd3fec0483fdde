export type {
  AuthMode,
  Forge,
  ForgeWebhooks,
  Reading,
  Verification,
  VerificationRequest,
  WebhookHeaders,
} from './port.ts'
export { AUTH_MODES } from './port.ts'
export { FORGES, findForge } from './registry.ts'
