import type { FaultyFile } from '../fault.ts'

export const migrations: readonly FaultyFile[] = [
  {
    file: 'server/migrations/202611231005_access_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('access_changed', '')", "perform concat('access_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231007_profiles_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('profiles_changed', '')", "perform concat('profiles_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231008_pipelines_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('pipelines_changed', '')", "perform concat('pipelines_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231009_runners_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('runners_changed', '')", "perform concat('runners_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231017_sources_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('sources_changed', '')", "perform concat('sources_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231014_overrides_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('overrides_changed', '')", "perform concat('overrides_changed', '')"]],
  },
  {
    file: 'server/migrations/202611231015_triggers_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [["perform pg_notify('triggers_changed', '')", "perform concat('triggers_changed', '')"]],
  },
  {
    file: 'server/migrations/202611280631_runs_team-of-approvals.sql',
    tests: ['server/src/rooms/execution/runs/decided-forks.test.ts'],
    faults: [
      ['for each row when (new.team_path is null)', 'for each row when (false)'],
      ['where team_path is null;', 'where false;'],
    ],
  },
  {
    file: 'server/migrations/202611231006_knowledge_create.sql',
    tests: ['server/src/notifications.test.ts'],
    faults: [
      ["perform pg_notify('emergencies_changed', '')", "perform concat('emergencies_changed', '')"],
      ["perform pg_notify('knowledge_changed', '')", "perform concat('knowledge_changed', '')"],
    ],
  },
]
