import { expect, test } from 'vitest'
import { LogWindow, MOST_ROWS, type Place } from './log-window.ts'

const open = (count: number): LogWindow => {
  const log = new LogWindow(() => undefined)
  log.setCount(count)
  return log
}

/** What a list that knows the present rows is told. */
const take = (log: LogWindow): Place | undefined => log.takePlace(log)

test('a million rows are shown by a window of some', () => {
  const log = open(1_000_000)
  log.show({ row: 999_999, align: 'end' })
  expect([log.start, log.end]).toEqual([1_000_000 - MOST_ROWS, 1_000_000])
  expect(take(log)).toEqual({ row: 999_999, align: 'end' })
  expect(take(log)).toBeUndefined()
  log.show({ row: 500_000, align: 'center' })
  expect(log.end - log.start).toBe(MOST_ROWS)
  expect(log.start).toBeLessThan(500_000)
})

test('near an edge the window moves, and the first row stays where it was', () => {
  const log = open(100_000)
  const { epoch } = log
  log.shown(10, 60)
  expect(log.epoch).toBe(epoch)
  log.shown(MOST_ROWS - 100, MOST_ROWS - 50)
  expect(log.epoch).toBe(epoch + 1)
  expect(take(log)).toEqual({ row: MOST_ROWS - 100, align: 'start' })
  expect(log.start).toBe(MOST_ROWS / 2 - 100)
  log.shown(log.start + 5, log.start + 50)
  expect(log.start).toBe(0)
})

test('whoever follows stays at the end, whoever lets go hears how many lines came', () => {
  const log = open(10)
  log.follow(true)
  log.setCount(50_000)
  expect(take(log)).toEqual({ row: 49_999, align: 'end' })
  expect(log.end).toBe(50_000)
  log.follow(false)
  log.lineCame()
  log.setCount(50_001)
  expect([log.came, take(log)]).toEqual([1, undefined])
  log.follow(true)
  expect([log.came, take(log)?.row]).toEqual([0, 50_000])
})

test('a list that follows is not made anew for each line that comes', () => {
  const log = open(10)
  log.follow(true)
  for (let count = 11; count <= 5 * MOST_ROWS; count++) log.setCount(count)
  expect(log.epoch).toBe(8)
  expect(log.end).toBe(5 * MOST_ROWS)
})

test('a section that is closed leaves a window that exists', () => {
  const log = open(100_000)
  log.show({ row: 90_000, align: 'start' })
  log.setCount(3)
  expect([log.start, log.end]).toEqual([0, 3])
})

test('rows that come or go above what is looked at do not move it', () => {
  const log = open(100)
  log.shown(40, 70)
  const { epoch } = log
  log.setCount(400, 300)
  expect([log.start, log.end, log.anchor, log.epoch]).toEqual([300, 400, 340, epoch])
  expect(take(log)).toBeUndefined()
  expect(log.isInSight(345)).toBe(true)
  // Back at the edge, the rows above are known again.
  log.shown(310, 340)
  expect([log.start, take(log)]).toEqual([0, { row: 310, align: 'start' }])
  log.setCount(100, -300)
  expect([log.start, log.end, take(log)]).toEqual([0, 100, { row: 10, align: 'start' }])
})

test('a place that nobody went to yet moves with its row; who follows stays at the end', () => {
  const log = open(100)
  log.show({ row: 90, align: 'center' })
  log.setCount(400, 300)
  expect(take(log)).toEqual({ row: 390, align: 'center' })
  log.follow(true)
  expect(log.anchor).toBeUndefined()
})

test('rows that come above keep the place that the list still goes to, whatever it shows on the way', () => {
  const log = open(200)
  log.show({ row: 172, align: 'center' })
  take(log)
  log.shown(0, 40)
  expect(log.anchor).toBe(172)
  log.setCount(360, 160)
  expect([log.start, log.anchor]).toEqual([160, 332])
  log.shown(320, 350)
  expect(log.anchor).toBe(320)
})

test('whoever scrolls on the way stays where they are', () => {
  const log = open(200)
  log.show({ row: 172, align: 'center' })
  take(log)
  log.scrolled()
  log.shown(0, 40)
  expect(log.anchor).toBe(0)
  log.follow(true)
  log.follow(false)
  log.shown(50, 90)
  expect(log.anchor).toBe(50)
})

test('whoever scrolls before the list is drawn stays where they are', () => {
  const log = open(200)
  log.show({ row: 172, align: 'center' })
  log.scrolled()
  expect(take(log)).toBeUndefined()
  log.show({ row: 172, align: 'center' })
  take(log)
  // It stops on the way, and would be sent on with the next drawing.
  log.shown(23, 52)
  log.scrolled()
  expect(take(log)).toBeUndefined()
  log.shown(20, 49)
  expect([log.anchor, take(log)]).toEqual([20, undefined])
})

test('whoever scrolls while the list gets other rows stays at the rows that they look at', () => {
  const log = open(100_000)
  log.shown(MOST_ROWS - 100, MOST_ROWS - 50)
  log.scrolled()
  expect(take(log)).toEqual({ row: MOST_ROWS - 100, align: 'start' })
  log.show({ row: 90_000, align: 'center' })
  log.scrolled()
  expect(take(log)).toEqual({ row: 90_000, align: 'center' })
  // It was there once, and is not sent on.
  log.shown(89_800, 89_830)
  expect(take(log)).toBeUndefined()
})

test('a list that follows goes to its end whoever scrolls down, and nowhere once somebody lets go', () => {
  const log = open(10)
  log.follow(true)
  log.scrolled()
  expect(take(log)).toEqual({ row: 9, align: 'end' })
  log.setCount(11)
  log.scrolled()
  log.follow(false)
  expect(take(log)).toBeUndefined()
})

test('a list that stops on the way is sent on, until it is there', () => {
  const log = open(306)
  log.show({ row: 152, align: 'center' })
  take(log)
  log.shown(23, 52)
  expect(take(log)).toEqual({ row: 152, align: 'center' })
  log.shown(138, 167)
  expect(take(log)).toBeUndefined()
  log.shown(0, 29)
  expect(take(log)).toBeUndefined()
})

test('a list that never gets there is not sent on for ever', () => {
  const log = open(306)
  log.show({ row: 152, align: 'center' })
  let sent = 0
  for (let scrolls = 0; scrolls < 1000; scrolls += 1) {
    if (take(log)) sent += 1
    log.shown(scrolls % 2, 29)
  }
  expect(sent).toBeLessThan(50)
})

test('a place waits for a list that knows its rows', () => {
  const log = open(5)
  const drawn = { start: log.start, end: log.end, epoch: log.epoch }
  log.setCount(306)
  log.show({ row: 152, align: 'center' })
  expect(log.takePlace(drawn)).toBeUndefined()
  expect(take(log)).toEqual({ row: 152, align: 'center' })
})
