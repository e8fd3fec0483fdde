import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { waitFor } from '../wait.ts'
import { findDifference } from './compare.ts'
import { aComment, aPullRequest } from './conversations.ts'
import { keepWords } from './keep.ts'
import { readFixture, type Signed, withoutProof } from './providers.ts'
import type { Stage, StagedSource } from './stage.ts'
import type { Deliver } from './story.ts'

/** Sends a delivery as its provider does, and looks at the answer, its record and its runs. */
export async function deliver(stage: Stage, act: Deliver): Promise<void> {
  const source = sourceOf(stage, act.by)
  const response = await send(stage, act)
  const text = await response.text()
  assert.equal(response.status, act.status, text)
  if (act.answer !== undefined) assert.equal(findDifference(act.answer, JSON.parse(text)), undefined)
  const { record, starts, keep } = act
  if (record === undefined && starts === undefined && keep === undefined) return
  // Stored before the answer, and decided whole by then but for what the repository has to say.
  const path = `/v1/git-webhook-sources/${source.id}/deliveries`
  const [newest] = await stage.api.get<{ id: string }[]>(`${path}?limit=1`)
  const expected = { ...record, ...(starts === undefined ? {} : { run_ids: starts.map(() => '/./') }) }
  const detail = await waitFor(
    `the record of ${act.deliver} to be ${JSON.stringify(expected)}`,
    () => stage.api.get<Record<string, unknown>>(`${path}/${newest?.id}`),
    (found) => findDifference(expected, found) === undefined,
  )
  const runs = (starts ?? []).map((name, at) => [name, `run_ids.${at}`])
  keepWords(stage.words, detail, { ...Object.fromEntries(runs), ...keep })
}

/** Rejects where no answer comes. */
export function send(stage: Stage, act: Omit<Deliver, 'status'>): Promise<Response> {
  const source = sourceOf(stage, act.by)
  const { headers, body } = makeDelivery(source, act)
  const url = `${stage.api.url}/v1/git/webhooks/${source.id}`
  return fetch(url, { method: 'POST', headers: { ...headers }, body: new Uint8Array(body) })
}

function sourceOf({ sources }: Stage, by: Deliver['by']): StagedSource {
  const [only] = sources.values()
  const source = by === undefined ? only : sources.get(by)
  assert.ok(source, `no source ${by}`)
  return source
}

function makeDelivery(
  { provider, providerId, authMode, secret, named }: StagedSource,
  act: Omit<Deliver, 'status'>,
): Signed {
  const { proof = 'right', id = randomUUID() } = act
  const { payload, event } = makePayload()
  const signed = provider.sign(payload, {
    secret: proof === 'wrong' ? provider.makeSecret() : (act.secret ?? secret),
    authMode,
    deliveryId: id,
    event,
  })
  return proof === 'none' ? withoutProof(signed) : signed

  function makePayload(): { readonly payload: object; readonly event: string | undefined } {
    const told = act.tells ?? {}
    switch (act.deliver) {
      case 'push':
        return { payload: provider.push(named, told), event: undefined }
      case 'pull_request':
        return { payload: aPullRequest(named, told), event: 'pull_request' }
      case 'comment':
        return { payload: aComment(named, told), event: 'issue_comment' }
      default:
        return readFixture(providerId, act.deliver, named)
    }
  }
}
