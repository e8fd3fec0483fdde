import * as about from '@signalbox/contracts/about'
import * as access from '@signalbox/contracts/access'
import * as approvals from '@signalbox/contracts/approvals'
import * as artifacts from '@signalbox/contracts/artifacts'
import * as audit from '@signalbox/contracts/audit'
import * as commands from '@signalbox/contracts/commands'
import * as dispatch from '@signalbox/contracts/dispatch'
import * as events from '@signalbox/contracts/events'
import * as externalTriggers from '@signalbox/contracts/external-triggers'
import * as gitApps from '@signalbox/contracts/git-apps'
import * as health from '@signalbox/contracts/health'
import type { Shapes } from '@signalbox/contracts/http/routes'
import * as identities from '@signalbox/contracts/identities'
import * as knowledge from '@signalbox/contracts/knowledge'
import * as logs from '@signalbox/contracts/logs'
import * as mcp from '@signalbox/contracts/mcp'
import * as members from '@signalbox/contracts/members'
import * as overrides from '@signalbox/contracts/overrides'
import * as overview from '@signalbox/contracts/overview'
import * as pipelines from '@signalbox/contracts/pipelines'
import * as plans from '@signalbox/contracts/plans'
import * as preferences from '@signalbox/contracts/preferences'
import * as profiles from '@signalbox/contracts/profiles'
import * as recovery from '@signalbox/contracts/recovery'
import * as reports from '@signalbox/contracts/reports'
import * as runners from '@signalbox/contracts/runners'
import * as runs from '@signalbox/contracts/runs'
import * as schedules from '@signalbox/contracts/schedules'
import * as search from '@signalbox/contracts/search'
import * as secrets from '@signalbox/contracts/secrets'
import * as sessions from '@signalbox/contracts/sessions'
import * as setup from '@signalbox/contracts/setup'
import * as sources from '@signalbox/contracts/sources'
import * as teams from '@signalbox/contracts/teams'
import * as trials from '@signalbox/contracts/trials'
import * as triggers from '@signalbox/contracts/triggers'

/** Every shape that contracts name; no two have one name. Loads the schema library: imported only when it is needed. */
export const SHAPES: Shapes = {
  ...about,
  ...access,
  ...approvals,
  ...artifacts,
  ...audit,
  ...commands,
  ...dispatch,
  ...events,
  ...gitApps,
  ...health,
  ...identities,
  ...knowledge,
  ...logs,
  ...members,
  ...mcp,
  ...overrides,
  ...overview,
  ...pipelines,
  ...plans,
  ...preferences,
  ...profiles,
  ...recovery,
  ...reports,
  ...runners,
  ...runs,
  ...schedules,
  ...externalTriggers,
  ...search,
  ...secrets,
  ...sessions,
  ...setup,
  ...sources,
  ...teams,
  ...trials,
  ...triggers,
}
