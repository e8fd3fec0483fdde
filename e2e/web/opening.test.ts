import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { describeWeb, visit } from './visit.ts'

const CATEGORIES = ['v8', 'disabled-by-default-v8.compile']
/** What a page compiles by itself is some thirty functions; without hints, some 1,600. */
const MOST_FUNCTIONS = 300

describeWeb('opening a page', (web) => {
  test('compiles its scripts in a second thread', async () => {
    // A browser of its own: a trace has all pages of one.
    const browser = await startBrowser()
    try {
      await visit({ ...web.stage, browser }, { as: 'owner' }, async ({ page, context, open, settle }) => {
        const spans = await trace(await context.newCDPSession(page), async () => {
          await open('/t/acme/runs')
          await settle()
        })
        assert.ok(spans.includes('v8.evaluateModule'), 'the trace has the scripts of the page')
        const compiled = spans.filter((name) => name === 'V8.CompileCode').length
        assert.ok(compiled <= MOST_FUNCTIONS, `${compiled} functions were compiled in the main thread`)
      })
    } finally {
      await browser.close()
    }
  })
})

/** What V8 did in the main threads of pages while this is done, each span by its name. */
async function trace(cdp: CDPSession, act: () => Promise<void>): Promise<readonly string[]> {
  const events: Record<string, unknown>[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  const ended = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()))
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  })
  await act()
  await cdp.send('Tracing.end')
  await ended
  const threadOf = ({ pid, tid }: Record<string, unknown>): string => `${String(pid)} ${String(tid)}`
  const main = new Set(events.filter((event) => isNameOfMain(event)).map(threadOf))
  return events.filter((event) => event['ph'] === 'X' && main.has(threadOf(event))).map(({ name }) => String(name))
}

function isNameOfMain({ name, args }: Record<string, unknown>): boolean {
  return name === 'thread_name' && JSON.stringify(args).includes('CrRendererMain')
}
