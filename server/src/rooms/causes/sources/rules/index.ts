export {
  type Delivery,
  type DeliveryResult,
  findRepeatedHeader,
  keepHeaders,
  type PayloadPlace,
  type VerificationResult,
} from './delivery.ts'
export { addressOf, credentialFor, originOf, type PublicForge, readBaseUrl } from './provider-address.ts'
export {
  type AuthMode,
  DEFAULT_RATE_PER_MINUTE,
  type ServerFacts,
  type Source,
  type SourceDefinition,
  type SourceFault,
  type SourceOwner,
  validateSource,
} from './source.ts'
