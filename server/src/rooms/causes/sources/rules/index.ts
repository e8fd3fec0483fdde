export { refsOf, refsOfPullRequest } from './asked-change.ts'
export { type CompletedOutcome, completeOutcome } from './completion.ts'
export {
  type ConnectionFault,
  type ConnectionState,
  findConnectionFaults,
  judgeConnection,
  type StoredConnection,
} from './connection.ts'
export { namesApp, wishOf } from './credential-wish.ts'
export {
  type Delivery,
  type DeliveryResult,
  FORM_ENCODED,
  isFormEncoded,
  type ListedDelivery,
  type PayloadPlace,
  type VerificationResult,
} from './delivery.ts'
export { type HealthFacts, type HealthVerdict, judgeHealth, type SourceState } from './health.ts'
export { judgeReading } from './judge-reading.ts'
export { isMade, MADE_EVENT_TYPE } from './made.ts'
export { matchContextOf } from './match-context.ts'
export { whyMembersUnasked } from './member-questions.ts'
export { nameSources } from './named-sources.ts'
export { notesOf } from './notes.ts'
export { type Outcome, outcomeOf } from './outcome.ts'
export { isPayloadUrlOf, payloadUrlOf } from './payload-url.ts'
export {
  addressOf,
  type CloneScheme,
  cloneUrlOf,
  credentialFor,
  isReachable,
  originOf,
  type PublicForge,
  readBaseUrl,
  readsRepository,
  whyUnreachable,
} from './provider-address.ts'
export {
  type AskedSource,
  bestOf,
  byOutcome,
  explainAnswer,
  explainEvent,
  explainSilence,
  find,
  type SeenRun,
  type Telling,
  uniteAdvice,
} from './push/index.ts'
export {
  type LearntName,
  type RepositoryName,
  RepositoryNames,
  uniteNames,
} from './repository-names.ts'
export { slashWordsOf } from './slash-lines.ts'
export {
  type AuthMode,
  DEFAULT_RATE_PER_MINUTE,
  type ServerFacts,
  type Source,
  type SourceDefinition,
  type SourceFault,
  validateSource,
} from './source.ts'
export { readStoredTrace } from './stored-trace.ts'
export { maySeeRule, type TraceReader, visibleTrace } from './visible-trace.ts'
