import { findOtherName, isAboutPullRequest, PostedEvent } from '@signalbox/contracts/event'
import { readRepositoryAddress } from '@signalbox/contracts/repository'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isFullName, isRef, readBareRef } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { webUrl } from '../payload-fields.ts'

/** A neutral event as it is posted; who sends it need not call itself a provider. */
const Sent = Type.Object(
  { ...PostedEvent.properties, provider: Type.Optional(PostedEvent.properties.provider) },
  { additionalProperties: false },
)
const sent = Compile(Sent)

export type ReadPosted =
  | { readonly ok: true; readonly posted: PostedEvent }
  /** `reason` names the field. */
  | { readonly ok: false; readonly reason: string }

/** `path` stands before the names of fields in a reason: "data." for fields in an envelope. */
export function readPosted(event: JsonObject, path: '' | 'data.'): ReadPosted {
  const unstorable = findUnstorable(event)
  if (unstorable !== undefined) return fault(path, unstorable, 'holds a character that cannot be stored')
  if (!sent.Check(event)) return { ok: false, reason: describeFirst(event, path) }
  const posted = { ...event, provider: 'generic' } as const
  const wrong = findWrongName(posted)
  if (wrong !== undefined) return fault(path, ...wrong)
  // The commit is of unknown origin: it may come from a fork.
  if (isAboutPullRequest(posted.kind) && !posted.pull_request) {
    return fault(path, 'pull_request', `is required for ${posted.kind}`)
  }
  const other = findOtherName(posted)
  return other === undefined ? { ok: true, posted } : fault(path, other, 'names something else than ref; leave it out')
}

/**
 * The faults that no schema finds: names that Git refuses and addresses that nobody may open. The path of the field and
 * the problem.
 */
function findWrongName(holder: JsonObject, path = ''): readonly [string, string] | undefined {
  for (const [key, item] of Object.entries(holder)) {
    const at = path === '' ? key : `${path}.${key}`
    const problem = typeof item === 'string' ? problemOf(holder, key, item, path === '') : undefined
    if (problem !== undefined) return [at, problem]
    const further = Array.isArray(item) || isObject(item) ? findWrongName({ ...item }, at) : undefined
    if (further !== undefined) return further
  }
  return undefined
}

function problemOf(holder: JsonObject, key: string, value: string, top: boolean): string | undefined {
  switch (key) {
    case 'ref':
      if (top) return isRef(value) ? undefined : 'must be a full ref such as refs/heads/main'
      return readBareRef(value, 'heads') === null ? 'is no name of a branch' : undefined
    case 'branch':
    case 'default_branch':
      return readBareRef(value, 'heads') === null ? 'is no name of a branch' : undefined
    case 'tag':
      return readBareRef(value, 'tags') === null ? 'is no name of a tag' : undefined
    case 'full_name':
    case 'repository':
      return isFullName(value) ? undefined : 'must be owner/name'
    case 'clone_url':
      return faultOf(value)
    case 'web_url':
      return webUrl(holder, key) === null ? 'must be an http or https address' : undefined
    default:
      return undefined
  }
}

/** A folder is judged later, by what the operator allows. */
function faultOf(address: string): string | undefined {
  const read = readRepositoryAddress(address)
  return 'fault' in read ? read.fault : undefined
}

/** Where the first text is that PostgreSQL refuses: one with a NUL or half a surrogate pair. */
function findUnstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (!Array.isArray(value) && !isObject(value)) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = findUnstorable(item, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first fault that the schema finds, as a sentence. */
function describeFirst(event: JsonObject, path: string): string {
  const [first] = sent.Errors(event)
  if (first === undefined) return 'The event does not have the documented form.'
  const field = first.instancePath.slice(1).replaceAll('/', '.')
  const { reason } = fault(path, ...describe(field, first))
  return reason
}

type Fault = ReturnType<typeof sent.Errors>[number]

function describe(field: string, found: Fault): readonly [string, string] {
  switch (found.keyword) {
    case 'required':
      return [[field, found.params.requiredProperties[0]].filter(Boolean).join('.'), 'is required']
    case 'boolean':
      return [field, 'is no known field; leave it out']
    case 'enum':
      return [field, `must be one of ${found.params.allowedValues.join(', ')}`]
    case 'pattern':
      return [field, field.endsWith('full_name') ? 'must be owner/name' : 'must be a whole commit name in lower case']
    default:
      return [field, found.message]
  }
}

/** A field's name comes from the body: only what can be one is repeated. */
function fault(path: string, field: string, problem: string): { readonly ok: false; readonly reason: string } {
  const plain = `${path}${field}`.replaceAll(/[^\w.-]/g, '?').slice(0, 200)
  return { ok: false, reason: `The field ${plain} ${problem}.` }
}
