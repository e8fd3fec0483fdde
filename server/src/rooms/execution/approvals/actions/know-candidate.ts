import type { Caller } from '#platform/http'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { Candidate } from '../rules/index.ts'

/** Who asks, by all the names under which a document may mean them. */
export function candidateOf(snapshot: AccessSnapshot, caller: Caller): Candidate {
  return {
    kind: caller.kind,
    id: caller.id,
    called: snapshot.calledBy(caller),
    hasRole: (role, teamPath) => snapshot.hasRole(caller, role, teamPath),
  }
}
