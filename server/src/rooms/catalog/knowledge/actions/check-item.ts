import type { KnowledgeValidation } from '@signalbox/contracts/knowledge'
import type { Queryable } from '#platform/database'
import { type Caller, canFromBelow, requirePermission } from '#platform/http'
import type { FieldError } from '#platform/problems'
import { knowledgeProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import {
  type ItemCheck,
  type ItemContent,
  type ItemFault,
  type ItemPlace,
  isLiteral,
  validateItem,
} from '../rules/index.ts'

/** Everything that is wrong with an item: in itself, and with the scope that it names. */
export async function checkItem(means: Means, db: Queryable, item: ItemPlace & ItemContent): Promise<ItemCheck> {
  const check = validateItem(item)
  if (check.faults.some(({ field }) => field === 'scope')) return check
  const fault = await findMissingScope(means, db, item.scope)
  return fault === undefined ? check : { ...check, faults: [...check.faults, { field: 'scope', message: fault }] }
}

/** The fault of a pattern that names one scope which does not exist: a misspelled pattern would match nothing. */
export async function findMissingScope(means: Means, db: Queryable, pattern: string): Promise<string | undefined> {
  if (!isLiteral(pattern) || (await means.teams.resolveScope(db, pattern))) return undefined
  return `there is no scope ${pattern}: write <team path>/<environment>, or a pattern such as ${pattern}/** for a team`
}

/** Throws forbidden (403) for a caller who may see the knowledge of neither the team nor a team below it. */
export function requireReader(caller: Caller, teamPath: string): void {
  if (!canFromBelow(caller, 'knowledge.read', teamPath)) requirePermission(caller, 'knowledge.read', teamPath)
}

/** Throws knowledge.invalid (400), which names every field at fault. */
export function requireSound({ faults }: ItemCheck): void {
  const errors = faults.map(presentFault)
  const [first] = errors
  if (first)
    throw knowledgeProblem('knowledge.invalid', `${first.field}: ${first.message}.`.replace(/\?\.$/, '?'), { errors })
}

export function presentCheck({ faults, judgedAt }: ItemCheck): KnowledgeValidation {
  return {
    valid: faults.length === 0,
    errors: faults.map(({ field, message, at }) => ({
      field,
      message,
      line: at?.line ?? null,
      column: at?.column ?? null,
    })),
    judged_at: [...judgedAt],
  }
}

function presentFault({ field, message, at }: ItemFault): FieldError {
  return { field, message: at ? `line ${at.line}, column ${at.column}: ${message}` : message }
}
