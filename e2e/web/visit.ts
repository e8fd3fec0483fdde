import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { whyNoBrowser } from './browser.ts'
import type { Premises, Visit, VisitOptions } from './open-page.ts'
import { Seats } from './seats.ts'
import { leaveStage, type Stage, takeStage } from './stage.ts'

export interface Web {
  /** The house, the browser and what is in them; while a test runs. */
  readonly stage: Stage
  /**
   * One person at a page with nothing in it yet, alone in a browser that others may have used before. After `story` the page
   * must not have said a word on the console, been refused anything, or scroll sideways.
   */
  visit(options: VisitOptions, story: (visit: Visit) => Promise<void>): Promise<void>
}

/** Tests in a real browser before a real control plane; skipped, with the reason, where there is no browser. */
export function describeWeb(name: string, tests: (web: Web) => void): void {
  describe(name, { skip: whyNoBrowser() }, () => {
    let stage: Stage | undefined
    before(async () => {
      stage = await takeStage()
    })
    tests({
      get stage() {
        assert.ok(stage, 'the stage is there while a test runs')
        return stage
      },
      async visit(options, story) {
        await this.stage.seats.begin(options, story)
      },
    })
    // What the tests tidy up at their end needs the stage.
    after(async () => {
      await stage?.seats.rest()
      leaveStage()
    })
  })
}

/** As `Web.visit`, in a browser context of its own: before another control plane, or where the first moment counts. */
export async function visit(
  stage: Premises,
  options: VisitOptions,
  story: (visit: Visit) => Promise<void>,
): Promise<void> {
  const seats = new Seats(stage)
  try {
    await seats.begin(options, story)
  } finally {
    await seats.close()
  }
}
