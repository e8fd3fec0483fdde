export { type Answer, addressOf, call, exchange } from './call.ts'
export { connection, useConnection } from './connection.ts'
export { type Edited, useEdited } from './edited.ts'
export { LiveProvider, useLive } from './live.tsx'
export { moreOf } from './more-of.ts'
export { presence } from './presence.ts'
export { ApiProblem, isPassing, Unreachable } from './problem.ts'
export {
  createQueryClient,
  invalidate,
  isConflict,
  itemsOf,
  read,
  readAhead,
  readAll,
  readDocument,
  readDocumentAhead,
  readPages,
  readPagesAhead,
  useWrite,
} from './queries.ts'
export { Repeated } from './repeated.ts'
export { noteSignIn } from './session-hint.ts'
export { findRefusal, noteRefusal } from './stream-refusal.ts'
export { write } from './write.ts'
export { newKey } from './write-keys.ts'
