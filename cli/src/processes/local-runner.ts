import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import type { Client } from '../client/client.ts'
import { SIGNALBOX } from './programs.ts'
import { OPERATOR_ERROR, type Supervised, supervise } from './supervised.ts'

export interface LocalRunnerPlan {
  readonly dataDir: string
  readonly runnerUrl: string
  /** Speaks as an administrator: the first start needs an enrolment. */
  readonly client: Client
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly executors?: string
  /** Folders whose repositories it may check out, separated by commas. */
  readonly localRepositories?: string | undefined
  readonly logFile?: string
  readonly onCrash: (how: string, pauseMs: number | undefined) => void
}

/**
 * The variables that the control plane may know and tasks may not. A runner hands on only PATH and LANG, and need not
 * see these.
 */
const NOT_FOR_RUNNERS = [
  'BOOTSTRAP_ADMIN_TOKEN',
  'SECRET_KEY',
  'DATABASE_URL',
  'EVENT_SIGNING_SECRET',
  'SIGNALBOX_TOKEN',
]

export function runnerFolderOf(dataDir: string): string {
  return join(dataDir, 'runner')
}

/** Starts the runner of this machine; the first time it is enrolled for every scope. The token travels by environment. */
export async function startLocalRunner(plan: LocalRunnerPlan): Promise<Supervised> {
  const workDir = runnerFolderOf(plan.dataDir)
  const env: Record<string, string | undefined> = { ...plan.env }
  for (const name of NOT_FOR_RUNNERS) delete env[name]
  if (!existsSync(join(workDir, 'credential.json'))) {
    const { token } = await plan.client.call(runnerRoutes.createRunnerEnrollment, {
      body: { team_path: '/', scopes: ['**'] },
    })
    env['SIGNALBOX_RUNNER_TOKEN'] = token
  }
  const flags = [
    ...(plan.executors === undefined ? [] : ['--executors', plan.executors]),
    ...(plan.localRepositories === undefined ? [] : ['--local-repositories', plan.localRepositories]),
  ]
  return supervise({
    name: 'runner',
    args: [SIGNALBOX, 'runner', '--url', plan.runnerUrl, '--work-dir', workDir, '--name', 'local', ...flags],
    env,
    cwd: plan.cwd,
    ...(plan.logFile === undefined ? {} : { logFile: plan.logFile }),
    // A wrong option stays wrong.
    mayFinish: true,
    mayRestart: (code) => code !== 0 && code !== OPERATOR_ERROR,
    onCrash: plan.onCrash,
  })
}
