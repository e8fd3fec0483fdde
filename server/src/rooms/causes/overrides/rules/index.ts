export { chooseFor, findReplaced, type Rights, type Standed } from './choose.ts'
export { createFinder, type Finder } from './finder.ts'
export { foldName, fullNameOf, isExpired, type Override, type RepositoryName } from './override.ts'
export {
  type DocumentFault,
  MAX_DOCUMENT_BYTES,
  type Placed,
  type ReadDocument,
  readDocument,
} from './read-document.ts'
export {
  describeUnvouched,
  findRival,
  type Standing,
  standingOf,
  type VouchingSource,
  whyNotVouched,
} from './vouching.ts'
