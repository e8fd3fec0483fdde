import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Connection } from '../config/connection.ts'
import { dataDirOf, findInstance } from '../config/local-instance.ts'
import { CommandFailed, messageOf } from '../errors.ts'
import { findPortTrouble } from '../processes/ports.ts'
import { readServerFindings } from '../processes/server-findings.ts'
import { numberSetting, readServerSettings, textSetting } from '../processes/server-settings.ts'
import type { Surroundings } from '../surroundings.ts'
import { checkCertificateFiles } from './check-certificate.ts'
import type { Finding } from './finding.ts'

const LEAST_GIT = [2, 25]
const CERTIFICATES = [
  ['certificate', 'tls_certificate_file', 'tls_key_file'],
  ['runner cert', 'runner_tls_cert', 'runner_tls_key'],
] as const

/** A control plane as `doctor` met it. */
export interface Met {
  /** Undefined: none is known. */
  readonly connection: Connection | undefined
  readonly isReady: boolean
}

/** This machine: programs, configuration, data folder, ports. */
export async function checkHere(surroundings: Surroundings, met: Met): Promise<Finding[]> {
  const findings = [
    { level: 'ok', name: 'node', message: `Node ${process.versions.node}.` } satisfies Finding,
    await checkGit(surroundings),
  ]
  if (isElsewhere(surroundings, met)) return findings
  try {
    const settings = await readServerSettings(surroundings)
    const dataDir = dataDirOf(surroundings, textSetting(settings, 'data_dir'))
    findings.push({ level: 'ok', name: 'configuration', message: 'Every option can be read.' }, checkDataDir(dataDir))
    const token = checkToken(dataDir)
    if (token) findings.push(token)
    findings.push(...(await readServerFindings(surroundings)))
    for (const [name, certificate, key] of CERTIFICATES) {
      const [certificatePath, keyPath] = [textSetting(settings, certificate), textSetting(settings, key)]
      if (certificatePath === undefined || keyPath === undefined) continue
      const { cwd } = surroundings
      findings.push(checkCertificateFiles(name, resolve(cwd, certificatePath), resolve(cwd, keyPath)))
    }
    if (findInstance(dataDir)) return findings
    const host = textSetting(settings, 'host') ?? '127.0.0.1'
    findings.push(
      await checkPort('port', host, numberSetting(settings, 'port') ?? 8080),
      await checkPort(
        'runner port',
        textSetting(settings, 'runner_host') ?? host,
        numberSetting(settings, 'runner_port') ?? 8081,
      ),
    )
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    findings.push({
      level: 'fail',
      name: 'configuration',
      message: error.message,
      remedy: 'Correct the key in the environment or in signalbox.yaml.',
    })
  }
  return findings
}

/** Then a server here has no needs: there is no data folder, and the control plane is ready or on another machine. */
function isElsewhere(surroundings: Surroundings, { connection, isReady }: Met): boolean {
  if (!connection || connection.origin === 'local' || existsSync(dataDirOf(surroundings))) return false
  return isReady || !isLoopback(new URL(connection.url).hostname)
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
}

async function checkGit({ env }: Surroundings): Promise<Finding> {
  const remedy = 'Install git; a runner needs it to check out repositories.'
  const version = await new Promise<string | undefined>((settle) => {
    execFile('git', ['--version'], { env: { ...env } }, (error, stdout) => settle(error ? undefined : stdout.trim()))
  })
  if (version === undefined) return { level: 'fail', name: 'git', message: 'git cannot be started.', remedy }
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_GIT
  const old = major < leastMajor || (major === leastMajor && minor < leastMinor)
  return old
    ? { level: 'warn', name: 'git', message: `${version} is old.`, remedy: `Use git ${LEAST_GIT.join('.')} or newer.` }
    : { level: 'ok', name: 'git', message: `${version}.` }
}

function checkDataDir(dataDir: string): Finding {
  const instance = findInstance(dataDir)
  if (instance) {
    return {
      level: 'ok',
      name: 'data folder',
      message: `${dataDir}, held by the control plane of process ${instance.pid}.`,
    }
  }
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    return {
      level: 'fail',
      name: 'data folder',
      message: `${dataDir} cannot be written: ${messageOf(error)}.`,
      remedy: 'Give this user the folder, or choose another one by DATA_DIR.',
    }
  }
  return { level: 'ok', name: 'data folder', message: `${dataDir} can be written; nobody holds it.` }
}

function checkToken(dataDir: string): Finding | undefined {
  const path = join(dataDir, 'bootstrap-token')
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & 0o077) === 0) return undefined
  return { level: 'warn', name: 'token file', message: `Others can read ${path}.`, remedy: `chmod 600 ${path}` }
}

async function checkPort(name: string, host: string, port: number): Promise<Finding> {
  const trouble = await findPortTrouble(host, port)
  if (trouble === undefined) return { level: 'ok', name, message: `${host}:${port} is free.` }
  return {
    level: 'warn',
    name,
    message: `${host}:${port} cannot be used (${trouble}), and no control plane of this folder holds it.`,
    remedy: 'Choose another port with --port or --runner-port, or stop what holds it.',
  }
}
