export { findChanged } from './compare-preconditions.ts'
export { type Confirmation, judgeConfirmation, type ReachedPlaces } from './judge-confirmation.ts'
export { matchScopes } from './match-scopes.ts'
export { type Looker, type Standing, standingOf } from './standing.ts'
export {
  type Credential,
  type Held,
  isOpen,
  KEPT_MS,
  MOST_OPEN,
  PERSON_MS,
  PLAN_MS,
  type PlanPrincipal,
  type StoredPlan,
  statusAt,
  type WrittenResource,
} from './stored-plan.ts'
