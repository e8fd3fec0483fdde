import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORGES } from '#adapters/forges'
import { fixturesOf } from '../../../../adapters/forges/testing.ts'
import { postedOf } from './told-comments.ts'

/** What the deliveries of each provider tell of comments, with a command in the place of every text. */
const COMMENTS = FORGES.flatMap((forge) =>
  fixturesOf(forge).flatMap(({ name, headers, payload }) => {
    const reading = forge.webhooks.read(headers, Buffer.from(JSON.stringify(payload)))
    const [event] = reading.kind === 'events' ? reading.events : []
    return event?.kind === 'pull_request_comment' && event.comment
      ? [{ forge, name, event, comment: event.comment }]
      : []
  }),
)

const tell = ({ event, comment }: (typeof COMMENTS)[number]) =>
  postedOf({
    event: { ...event, comment: { ...comment, body: '/help' } },
    sourceId: 'source',
    deliveryRecordId: 'delivery',
    eventId: 'event',
    receivedAt: new Date(),
    pending: null,
    trace: { triggers: [] },
  })

for (const id of ['github', 'gitea', 'forgejo', 'gitlab'] as const) {
  test(`a comment that was edited at ${id} tells of no command, whatever it says now`, () => {
    const own = COMMENTS.filter(({ forge }) => forge.id === id)
    const edited = own.filter(({ event }) => event.action === 'edited')
    assert.ok(edited.length > 0)
    for (const one of edited) assert.deepEqual(tell(one), [], one.name)
    const created = own.filter(({ event, comment }) => event.action === 'created' && comment.path === null)
    assert.ok(created.length > 0)
    for (const one of created) assert.equal(tell(one).length, 1, one.name)
  })
}

test('of every provider only what was posted tells of a command', () => {
  for (const one of COMMENTS) {
    const { event, comment, forge, name } = one
    const isPosted = event.action === 'created' && comment.path === null && comment.id !== null
    assert.equal(tell(one).length, isPosted ? 1 : 0, `${forge.id} ${name}`)
  }
})
