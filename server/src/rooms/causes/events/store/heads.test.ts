import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { execute } from '#platform/database'
import { createTestDatabase } from '#platform/testing'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { findHead, type HeadRow, saveHeads } from './heads.ts'

const PULL_REQUEST = {
  number: 7,
  title: 'A change',
  draft: false,
  labels: [],
  head: { ref: 'topic', sha: 'b'.repeat(40), repository: 'acme/widgets' },
  base: { ref: 'main', sha: 'a'.repeat(40), repository: 'acme/widgets' },
  from_fork: false,
  merged: false,
  author: null,
  web_url: null,
} satisfies Event['pull_request']

const { database } = await createTestDatabase()
const db = database.kysely
const sourceId = '01900000-0000-7000-8000-000000000001'

function aHead(headSha: string, occurredAt: string | null): HeadRow {
  const { pull_request: pullRequest } = anEvent({ kind: 'pull_request', action: 'opened', pull_request: PULL_REQUEST })
  assert.ok(pullRequest)
  const at = { occurredAt, receivedAt: new Date() }
  return { sourceId, repository: 'Acme/Widgets', number: 7, headSha, ref: null, pullRequest, ...at }
}

const save = (head: HeadRow): Promise<unknown> => execute(db, saveHeads([head]))
const held = async (): Promise<string | null | undefined> => (await findHead(db, sourceId, 'acme/widgets', 7))?.headSha

test('what happened earlier does not become the head of a pull request, whenever it comes', async () => {
  await save(aHead('b'.repeat(40), '2026-11-21T10:00:00Z'))
  await save(aHead('a'.repeat(40), '2026-11-21T09:59:59Z'))
  assert.equal(await held(), 'b'.repeat(40), 'an older delivery')
  await save(aHead('c'.repeat(40), '2026-11-21T10:00:00Z'))
  assert.equal(await held(), 'c'.repeat(40), 'of the same second')
  await save(aHead('d'.repeat(40), '2026-11-21T10:00:01Z'))
  assert.equal(await held(), 'd'.repeat(40), 'a newer one')
  await save(aHead('e'.repeat(40), null))
  assert.equal(await held(), 'e'.repeat(40), 'of no known time: as they come')
})
