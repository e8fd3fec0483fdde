import type { Report } from '../report.ts'
import { measureAway } from './away.ts'
import { type Bar, reportOf } from './bar.ts'
import { measureGraphs } from './graphs.ts'
import { measureIdle } from './idle.ts'
import { measureLive } from './live.ts'
import { measureLoading } from './loading.ts'
import { measureLog } from './log.ts'
import { measureLongList } from './long-list.ts'
import { measureInputs, measureRoutes } from './moving.ts'
import { openStand, type Stand } from './stand.ts'

/** The parts, in the order in which they are measured. */
const PARTS: Readonly<Record<string, (stand: Stand) => Promise<readonly Bar[]>>> = {
  loading: measureLoading,
  routes: measureRoutes,
  inputs: measureInputs,
  log: measureLog,
  live: measureLive,
  list: measureLongList,
  graphs: measureGraphs,
  restart: measureAway,
  idle: measureIdle,
}

/** Every bar of the web application, or those of some parts, before one control plane. */
export async function benchPage(wanted: readonly string[] = Object.keys(PARTS)): Promise<Report> {
  const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name))
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; parts: ${Object.keys(PARTS).join(', ')}.`)
  await using stand = await openStand()
  const bars: Bar[] = []
  for (const name of wanted) bars.push(...((await PARTS[name]?.(stand)) ?? []))
  return reportOf(bars)
}
