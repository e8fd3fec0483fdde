import type { Event } from '@signalbox/contracts/event'
import { sha256 } from '#platform/crypto'
import type { Tx } from '#platform/database'
import type { StoredSuspicion } from '#rooms/causes/events'
import type { Means } from '../means.ts'
import { describePull, describePush, isDue, isSameHead, notedHead } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { HeadPlace } from './find-head-places.ts'
import { headOf, judgeOne, readTold } from './judge-heads.ts'
import { type SeenHeads, seeHeads } from './see-heads.ts'

/** A mirror may move everything at once: the next look goes on. */
const MADE_A_LOOK = 50
/** A delivery may be on its way, or be sent again by its provider. */
const GRACE_MS = 3 * 60_000

/** The same head of the same ref again, without a word of it between, is a fault of ours or of the provider. */
const AGAIN_MS = 3_600_000

/**
 * Makes the events of what was untold already a grace ago, and is where it was. Answers why something was not made that
 * seems to be missing.
 */
export async function makeUntold(means: Means, place: HeadPlace): Promise<string | undefined> {
  const { changes } = means.events
  const suspicions = await changes.listSuspected(means.database.kysely, place.source.id, place.repository)
  const now = means.clock.now()
  const due = suspicions.filter((one) => isDue(one, now, GRACE_MS)).slice(0, MADE_A_LOOK)
  if (due.length === 0) return undefined
  // A long list may be old when its end is read.
  const seen = await seeHeads(place, now)
  if (seen.outcome !== 'found') return undefined
  let withheld: Event | undefined
  for (const suspicion of due) {
    const event = describe(place, seen.value, suspicion)
    if (event && (await make(means, place, { ...suspicion, seenAt: now }, event)) === 'withheld') withheld ??= event
  }
  return (
    withheld &&
    `An event of ${withheld.ref} of ${place.repository} at ${withheld.after} was made within the last hour, and nothing ` +
      'was told of it since then: none is made again before the hour is over.'
  )
}

/** Undefined: the look does not see it any more. */
function describe(place: HeadPlace, { branches, pulls }: SeenHeads, suspicion: StoredSuspicion): Event | undefined {
  const { ref, pullRequest, beforeSha: before, headSha: head } = suspicion
  const told = { provider: place.provider, repository: place.repository, before }
  if (ref !== null) {
    const found = branches.find(({ name }) => `refs/heads/${name}` === ref)
    return found?.commitSha === head ? describePush({ ...told, ref, head }) : undefined
  }
  const pull = pulls?.find(({ pullRequest: { number } }) => number === pullRequest)
  return pull && headOf(pull) === head ? describePull(told, pull) : undefined
}

/** As it was seen right before. */
type SeenSuspicion = StoredSuspicion & { readonly seenAt: Date }

async function make(
  means: Means,
  place: HeadPlace,
  suspicion: SeenSuspicion,
  event: Event,
): Promise<'made' | 'withheld' | 'settled'> {
  means.failPoints.hit('recovery.before_make')
  const { source, repository } = place
  const { id, headSha: head, beforeSha: before, notedAt, ref, pullRequest } = suspicion
  const change = [source.id, repository.toLowerCase(), ref ?? pullRequest, before, head, notedAt.toISOString()]
  const deliveryId = `heads:${sha256(JSON.stringify(change)).toString('hex')}`
  let isWithheld = false
  const made = await means.sources.makeEvent({
    sourceId: source.id,
    event,
    deliveryId,
    async claim(tx, { eventId, deliveryRecordId }) {
      if (!(await isStillUntold(means, tx, place, suspicion))) return false
      const madeAt = means.clock.now()
      const asked = { sourceId: source.id, repository, ref: event.ref, head }
      isWithheld = await wasJustMade(means, tx, { ...asked, since: new Date(madeAt.getTime() - AGAIN_MS) })
      if (isWithheld) return false
      const row = { id: means.ids.next(), sourceId: source.id, repository, deliveryId, eventId, deliveryRecordId }
      const facts = { eventType: event.kind, ref: event.ref, before, head, missedAt: notedAt, madeAt }
      if (!(await store.noteMade(tx, { ...row, ...facts }))) return false
      await means.events.changes.markMade(tx, id, { eventId, deliveryRecordId, madeAt })
      return true
    },
  })
  means.failPoints.hit('recovery.after_make')
  if (made) means.recoveryMetrics.stepped(source.provider, 'made')
  if (made) return 'made'
  return isWithheld ? 'withheld' : 'settled'
}

/** Ends every loop, whatever its cause: at most one event an hour of a ref and head, unless a delivery told more. */
async function wasJustMade(means: Means, tx: Tx, asked: store.MadeAsked): Promise<boolean> {
  const last = await store.findLastMade(tx, asked)
  if (!last) return false
  const { sourceId, repository, ref } = asked
  return ref === null || !(await means.events.changes.cameSince(tx, { sourceId, repository, ref, since: last }))
}

/**
 * While the change is held no delivery of it can be stored, and what was stored before is seen. Where something was told
 * since the look, the next look judges anew.
 */
async function isStillUntold(means: Means, tx: Tx, place: HeadPlace, suspicion: SeenSuspicion): Promise<boolean> {
  const { changes } = means.events
  const held = await changes.holdSuspected(tx, suspicion.id)
  if (!held || held.headSha !== suspicion.headSha || held.beforeSha !== suspicion.beforeSha) return false
  const { ref, pullRequest, headSha: head, notedAt } = held
  const at = { sourceId: place.source.id, repository: place.repository }
  if (ref === null) {
    const [told] = await changes.listToldHeads(tx, at.sourceId, at.repository, [pullRequest ?? 0])
    const toldHead = told?.head ?? null
    return toldHead === null || !isSameHead(toldHead, head)
  }
  const told = await readTold(means, tx, at, notedAt)
  if (!told) return false
  const note = await store.findNotedHead(tx, at, ref)
  const noted = note === null ? null : notedHead(note)
  const { isTold, position } = judgeOne(told, ref, { noted, head, notedAt, seenAt: suspicion.seenAt })
  return !isTold && position === held.beforeSha
}
