import type { FaultyFile } from '../fault.ts'
import { access } from './access.ts'
import { approvals } from './approvals.ts'
import { artifacts } from './artifacts.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { cli } from './cli.ts'
import { commands } from './commands.ts'
import { contracts } from './contracts.ts'
import { dispatch } from './dispatch.ts'
import { events } from './events.ts'
import { forges } from './forges.ts'
import { gitApps } from './git-apps.ts'
import { identities } from './identities.ts'
import { knowledge } from './knowledge.ts'
import { live } from './live.ts'
import { logs } from './logs.ts'
import { migrations } from './migrations.ts'
import { overrides } from './overrides.ts'
import { pipeline } from './pipeline.ts'
import { pipelines } from './pipelines.ts'
import { plans } from './plans.ts'
import { platform } from './platform.ts'
import { profiles } from './profiles.ts'
import { recovery } from './recovery.ts'
import { reports } from './reports.ts'
import { runStore } from './run-store.ts'
import { runner } from './runner.ts'
import { runners } from './runners.ts'
import { runs } from './runs.ts'
import { scheduleWrites } from './schedule-writes.ts'
import { schedules } from './schedules.ts'
import { search } from './search.ts'
import { secrets } from './secrets.ts'
import { settings } from './settings.ts'
import { setup } from './setup.ts'
import { sources } from './sources.ts'
import { teams } from './teams.ts'
import { tokenLimits } from './token-limits.ts'
import { tools } from './tools.ts'
import { triggers } from './triggers.ts'

/** The faults by area; `npm run mutants -- <area>` plants those of one area. */
export const AREAS: Readonly<Record<string, readonly FaultyFile[]>> = {
  access,
  approvals,
  artifacts,
  audit,
  backup,
  cli,
  commands,
  contracts,
  dispatch,
  events,
  forges,
  gitApps,
  identities,
  knowledge,
  live,
  logs,
  migrations,
  overrides,
  pipeline,
  pipelines,
  plans,
  platform,
  profiles,
  recovery,
  reports,
  runner,
  runners,
  runs,
  runStore,
  scheduleWrites,
  schedules,
  search,
  secrets,
  settings,
  setup,
  sources,
  teams,
  tokenLimits,
  tools,
  triggers,
}
