import { SealBroken } from '#platform/crypto'
import { type Tx, uniqueViolation } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { Problem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type Exchanged, exchangeContext, readExchanged } from '../rules/exchange.ts'
import { readRegistration } from '../rules/registration.ts'
import { type AppRow, insertApp, lockApp, updateApp } from '../store/apps.ts'
import { endFlow, type FlowEnd, type FlowRow, findFlow, lockFlow } from '../store/flows.ts'
import { loadApp } from './find-app.ts'
import { makeSource } from './make-source.ts'
import { presentApp } from './present-app.ts'
import { storeKey } from './store-keys.ts'

export const FINISH_JOB = 'git_apps.finish-registration'

/** The job: goes on where a process ended after the provider had given the app. */
export async function finishLater(means: Means, payload: unknown): Promise<void> {
  const state = typeof payload === 'object' && payload !== null && 'state' in payload ? payload.state : undefined
  if (typeof state !== 'string') return
  const flow = await findFlow(means.database.kysely, Buffer.from(state, 'hex'))
  if (!flow || flow.exchanged === null) return
  const { stateSha256, starterKind, starterId, provider } = flow
  const caller = await means.access.subject(starterKind, starterId)
  const origin = caller && { caller, address: 'local', requestId: means.ids.next() }
  const outcome = await finishRegistration(means, stateSha256, origin)
  means.log.info({ provider, outcome }, 'a registration whose process had ended was finished')
}

/** The source cannot be made, and another app is stored meanwhile: each of them happens once. */
const ATTEMPTS = 3

/**
 * Makes the app of the stored answer, once: the answer goes in the same transaction. Answers what became of the
 * registration, also when another process was first; undefined: there is nothing to finish.
 */
export async function finishRegistration(
  means: Means,
  stateSha256: Buffer,
  origin: RequestOrigin | undefined,
): Promise<FlowEnd | undefined> {
  let withSource = true
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await means.database.transaction((tx) => finish(means, tx, { stateSha256, origin, withSource }))
      means.failPoints.hit('git_apps.after_commit')
      return outcome
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      if (error instanceof Problem && withSource) {
        // Without its source the app is worth keeping all the same. The doctor says what to do.
        means.log.warn({ err: error }, 'the source of a new app was not made')
        withSource = false
      } else if (uniqueViolation(error) !== 'git_apps_pkey') throw error
    }
  }
}

interface Finishing {
  readonly stateSha256: Buffer
  /** Who began it; undefined: they are gone. */
  readonly origin: RequestOrigin | undefined
  readonly withSource: boolean
}

async function finish(
  means: Means,
  tx: Tx,
  { stateSha256, origin, withSource }: Finishing,
): Promise<FlowEnd | undefined> {
  const flow = await lockFlow(tx, stateSha256)
  if (!flow || flow.outcome !== null) return flow?.outcome ?? undefined
  if (flow.exchanged === null) return undefined
  const outcome = await make(means, tx, { flow, sealed: flow.exchanged, origin, withSource })
  await endFlow(tx, { stateSha256, outcome, at: means.clock.now() })
  means.failPoints.hit('git_apps.before_commit')
  return outcome
}

interface Making extends Omit<Finishing, 'stateSha256'> {
  readonly flow: FlowRow
  readonly sealed: Buffer
}

async function make(means: Means, tx: Tx, { flow, sealed, origin, withSource }: Making): Promise<FlowEnd> {
  const { provider } = flow
  if (!origin?.caller.can('git_app.write', '/')) return 'denied'
  if (await lockApp(tx, provider)) return 'already_registered'
  const exchanged = open(means, flow, sealed)
  const asked = readRegistration(flow.document)
  if (!asked) return 'exchange_failed'
  const now = means.clock.now()
  const { privateKey, webhookSecret, ...told } = exchanged
  const row: AppRow = {
    ...told,
    provider,
    baseUrl: asked.baseUrl,
    credentialRef: null,
    teamPath: asked.teamPath ?? (await means.teams.findOldestRoot(tx))?.path ?? null,
    sourceId: null,
    publicUrl: asked.publicUrl,
    createdAt: now,
    updatedAt: now,
  }
  await insertApp(tx, row)
  await storeKey(means, tx, { provider, kind: 'private_key', value: privateKey }, true)
  if (webhookSecret !== null) {
    await storeKey(means, tx, { provider, kind: 'webhook_secret', value: webhookSecret }, true)
    if (withSource && row.teamPath !== null && flow.sourceId !== null) {
      const sourceId = await makeSource(means, tx, origin, { ...row, sourceId: flow.sourceId })
      await updateApp(tx, { ...row, sourceId })
    }
  }
  const stored = await loadApp(tx, provider)
  await means.audit.record(tx, {
    origin,
    action: 'git_app.registered',
    resource: { kind: 'git_app', id: provider },
    teamPath: '/',
    after: stored && presentApp(stored),
  })
  return 'registered'
}

/**
 * Throws where it does not open, or is none of this version. Another process may know the key: the provider gives the app
 * once, so the answer stays, and the job tries again.
 */
function open({ sealer }: Means, { stateSha256 }: FlowRow, sealed: Buffer): Exchanged {
  const exchanged = readExchanged(sealer.open(sealed, exchangeContext(stateSha256)))
  if (!exchanged) throw new SealBroken('The answer of a provider to a registration is none of this version.')
  return exchanged
}
