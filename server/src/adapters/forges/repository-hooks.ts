import { undocumented } from './api-client.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { id as readId } from './payload-fields.ts'
import type {
  ForgeAnswer,
  ForgeConnection,
  ForgeHooks,
  FoundHook,
  HookDifference,
  PlacedHook,
  WantedHook,
} from './port.ts'

/** A webhook as a provider lists it. */
export interface ListedHook {
  readonly id: string
  readonly url: string
  /** The differences beside the address and the secret, which are compared alike for every provider. */
  readonly differences: readonly HookDifference[]
}

/** The calls of a provider whose webhooks tell of all events. `Hook` may keep what an update must send again. */
export interface HookCalls<Hook extends ListedHook> {
  readonly right: string
  list(connection: ForgeConnection, wanted: Pick<WantedHook, 'repository'>): Promise<ForgeAnswer<readonly Hook[]>>
  create(connection: ForgeConnection, wanted: WantedHook): Promise<ForgeAnswer<string>>
  update(connection: ForgeConnection, wanted: WantedHook, hook: Hook): Promise<ForgeAnswer<null>>
  /** The differences that an update does not mend: a new webhook then takes the place of the old one. */
  readonly notByUpdate: readonly HookDifference[]
  remove(connection: ForgeConnection, repository: string, hookId: string): Promise<ForgeAnswer<null>>
  readonly test: ForgeHooks['test']
}

export function repositoryHooks<Hook extends ListedHook>(calls: HookCalls<Hook>): ForgeHooks {
  return {
    right: calls.right,
    test: calls.test,

    async find(connection, wanted) {
      const listed = await listOwn(calls, connection, wanted)
      return listed.outcome === 'found' ? { outcome: 'found', value: judge(listed.value, wanted) } : listed
    },

    async place(connection, wanted) {
      const listed = await listOwn(calls, connection, wanted)
      if (listed.outcome !== 'found') return listed
      if (listed.value.length > 0) return repair(calls, connection, wanted, listed.value)
      const created = await calls.create(connection, wanted)
      if (created.outcome === 'found') return placed({ hookId: created.value, done: 'created', differences: [] })
      // Somebody else may have made it in between, or the answer to an earlier call was lost.
      const again = await listOwn(calls, connection, wanted)
      if (again.outcome !== 'found' || again.value.length === 0) return created
      return repair(calls, connection, wanted, again.value)
    },

    async remove(connection, wanted) {
      const listed = await listOwn(calls, connection, wanted)
      if (listed.outcome !== 'found') return listed
      return removeAll(calls, connection, wanted.repository, listed.value)
    },
  }
}

/** The webhooks that send to the source; the first one is kept. */
async function listOwn<Hook extends ListedHook>(
  calls: HookCalls<Hook>,
  connection: ForgeConnection,
  wanted: Pick<WantedHook, 'repository' | 'isOwn'> & Partial<Pick<WantedHook, 'holder' | 'url'>>,
): Promise<ForgeAnswer<readonly Hook[]>> {
  const listed = await calls.list(connection, wanted)
  if (listed.outcome !== 'found') return listed
  const rank = ({ id, url }: Hook): number => (id === wanted.holder ? 2 : 0) + (url === wanted.url ? 1 : 0)
  const own = listed.value.filter(({ id, url }) => id === wanted.holder || wanted.isOwn(url))
  return { outcome: 'found', value: own.sort((a, b) => rank(b) - rank(a)) }
}

function judge([kept, ...others]: readonly ListedHook[], wanted: WantedHook): FoundHook {
  if (kept === undefined) return { hookId: null, differences: ['missing'] }
  const differences: HookDifference[] = [...kept.differences]
  if (kept.url !== wanted.url) differences.push('address')
  if (kept.id !== wanted.holder) differences.push('secret')
  if (others.length > 0) differences.push('doubled')
  return { hookId: kept.id, differences }
}

async function repair<Hook extends ListedHook>(
  calls: HookCalls<Hook>,
  connection: ForgeConnection,
  wanted: WantedHook,
  own: readonly Hook[],
): Promise<ForgeAnswer<PlacedHook>> {
  const { differences } = judge(own, wanted)
  const [kept, ...others] = own
  if (kept === undefined || differences.length === 0) {
    return placed({ hookId: kept?.id ?? '', done: 'unchanged', differences })
  }
  if (differences.some((difference) => calls.notByUpdate.includes(difference))) {
    // The new one is made first: between the two nothing that happens at the provider may go untold.
    const created = await calls.create(connection, wanted)
    if (created.outcome !== 'found') return created
    const removed = await removeAll(calls, connection, wanted.repository, own)
    return removed.outcome === 'found' ? placed({ hookId: created.value, done: 'repaired', differences }) : removed
  }
  const updated = await calls.update(connection, wanted, kept)
  if (updated.outcome !== 'found') return updated
  const removed = await removeAll(calls, connection, wanted.repository, others)
  return removed.outcome === 'found' ? placed({ hookId: kept.id, done: 'repaired', differences }) : removed
}

/** A webhook that is gone already is as good as removed. */
async function removeAll<Hook extends ListedHook>(
  calls: HookCalls<Hook>,
  connection: ForgeConnection,
  repository: string,
  hooks: readonly Hook[],
): Promise<ForgeAnswer<number>> {
  for (const { id } of hooks) {
    const removed = await calls.remove(connection, repository, id)
    if (removed.outcome === 'failed') return removed
  }
  return { outcome: 'found', value: hooks.length }
}

function placed(value: PlacedHook): ForgeAnswer<PlacedHook> {
  return { outcome: 'found', value }
}

/** The result of a call without a value of its own. */
export function withoutValue<T>(answer: ForgeAnswer<T>): ForgeAnswer<null> {
  return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
}

/** The id of a webhook that was just made, where the answer names it. */
export function readCreated(body: unknown): ForgeAnswer<string> {
  const made = isObject(body) ? readId(body, 'id') : null
  return made === null ? undocumented() : { outcome: 'found', value: made }
}

/** The names of the events that a webhook tells of. */
export function readEvents(hook: JsonObject): readonly string[] {
  const { events } = hook
  return Array.isArray(events) ? events.filter((event) => typeof event === 'string') : []
}
