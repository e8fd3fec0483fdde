export {
  type Delivery,
  type DeliveryResult,
  findRepeatedHeader,
  keepHeaders,
  type PayloadPlace,
  type VerificationResult,
} from './delivery.ts'
export {
  type AuthMode,
  DEFAULT_RATE_PER_MINUTE,
  type Source,
  type SourceDefinition,
  type SourceFault,
  validateSource,
} from './source.ts'
