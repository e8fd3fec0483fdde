import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Podman of a test's own: its socket, its storage, its images. */
export type TestPodman = AsyncDisposable & {
  /** As `--container-host` takes it. */
  host: string
  /** Runs `podman` on the same storage; throws with what it says. */
  run(...args: string[]): string
  /** Runs a shell script whose `podman` is this one, whatever it answers. */
  runScript(script: string): Promise<void>
  /** Imports an image with a shell and some tools. `changes` are lines of a Containerfile. */
  makeImage(name: string, ...changes: string[]): void
  /** Makes an image of that one by a Containerfile, with what `import` cannot say. */
  buildImage(name: string, ...lines: string[]): void
  /** The process that serves the socket. */
  service(): ChildProcess
  stop(): Promise<void>
  /** Does nothing where it runs. */
  start(): Promise<void>
}

const busybox = '/bin/busybox'

/**
 * Why containers cannot be tried on this machine, for `skip`; false when they can. In CI a missing program is an error.
 */
export const withoutPodman = (): string | false => {
  if (process.getuid?.() !== 0) return skip('podman needs root here, for the users of containers.')
  const missing = missingProgram()
  if (missing === undefined) return false
  if (process.env['CI'] === 'true') throw new Error(`Containers must be tested in CI: ${missing} is not installed.`)
  return skip(`${missing} is not installed.`)
}

const skip = (reason: string): string => {
  // A skipped test is easily taken for a passed one.
  process.stderr.write(`Tests with containers are skipped: ${reason}\n`)
  return reason
}

const missingProgram = (): string | undefined => {
  if (spawnSync('podman', ['--version']).status !== 0) return 'podman'
  if (spawnSync('runc', ['--version']).status !== 0) return 'runc'
  // A program that needs libraries would find none in an image that holds nothing else.
  const alone = spawnSync('ldd', [busybox]).status !== 0
  if (!alone || spawnSync(busybox, ['true']).status !== 0) return 'busybox-static'
  return undefined
}

/**
 * Tells why networks with a bridge, and rules of the machine, are impossible here; false: they are possible. Not every
 * kernel has bridges.
 */
export const withoutBridges = (): string | false => {
  const reason = withoutPodman()
  if (reason !== false) return reason
  const missing = ['iptables', 'nft'].find((program) => spawnSync(program, ['--version']).status !== 0)
  if (missing !== undefined && process.env['CI'] === 'true') {
    throw new Error(`Networks must be tested in CI: ${missing} is not installed.`)
  }
  if (missing !== undefined) return skip(`${missing} is not installed.`)
  const ip = (...args: string[]) => spawnSync(busybox, ['ip', 'link', ...args]).status === 0
  const name = `try-${process.pid}`
  return ip('add', name, 'type', 'bridge') && ip('del', name) ? false : skip('the kernel makes no bridges.')
}

export interface PodmanOptions {
  /** The addresses of its networks, each a 256th of them: `10.20.0.0/16`. */
  addresses?: string
  /** `host:port` of registries without TLS. */
  insecureRegistries?: readonly string[]
}

/** Starts a Podman on folders of its own; nothing of the machine's is touched. */
export const startPodman = async (options: PodmanOptions = {}): Promise<TestPodman> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-podman-'))
  // The engine reads workspaces of tests as other users do.
  chmodSync(folder, 0o755)
  const socket = join(folder, 'podman.sock')
  const environment = { ...process.env, ...writeSettings(folder, options) }
  let service: ChildProcess | undefined

  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('podman', args, { env: environment, encoding: 'utf8' })
    if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const stop = async (): Promise<void> => {
    if (service === undefined || hasEnded(service)) return
    const ended = once(service, 'exit')
    service.kill('SIGKILL')
    await ended
    rmSync(socket, { force: true })
  }
  const start = async (): Promise<void> => {
    if (service !== undefined && !hasEnded(service)) return
    service = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
      env: environment,
      // A monitor that it starts leaves an empty file where it stands when a container used too much memory.
      cwd: folder,
      stdio: 'ignore',
    })
    await untilConnectable(socket, service)
  }
  await start()
  const bundle = makeBundle(folder)
  return {
    host: `unix://${socket}`,
    run,
    runScript: async (script) => {
      await once(spawn('sh', ['-c', script], { env: environment, stdio: 'ignore' }), 'exit')
    },
    makeImage: (name, ...changes) => {
      run('import', ...changes.flatMap((change) => ['--change', change]), bundle, name)
    },
    buildImage: (name, ...lines) => {
      const context = join(folder, 'context')
      mkdirSync(context, { recursive: true })
      writeFileSync(join(context, 'Containerfile'), lines.join('\n'))
      run('build', '--quiet', '--format', 'docker', '--network', 'host', '--tag', name, context)
    },
    service: () => service ?? spawnFailed(),
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      await stop()
      run('rm', '--all', '--force', '--time', '0', '--depend')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const spawnFailed = (): never => {
  throw new Error('podman system service was not started')
}

const writeSettings = (
  folder: string,
  { insecureRegistries = [], addresses = '10.89.0.0/16' }: PodmanOptions,
): Record<string, string> => {
  const settings = join(folder, 'containers.conf')
  const storage = join(folder, 'storage.conf')
  // Not every machine has the cgroups that crun wants, a bridge to connect containers to, or the usual limits to give.
  writeFileSync(
    settings,
    [
      '[engine]',
      'runtime="runc"',
      '[network]',
      'network_backend="netavark"',
      `network_config_dir="${join(folder, 'networks')}"`,
      `default_subnet_pools=[{"base"="${addresses}","size"=24}]`,
      '[containers]',
      'netns="host"',
      'default_ulimits=["nofile=1024:1024","nproc=1000:1000"]',
      '',
    ].join('\n'),
  )
  const places = [`graphroot = "${join(folder, 'storage')}"`, `runroot = "${join(folder, 'run')}"`]
  writeFileSync(storage, ['[storage]', 'driver = "vfs"', ...places, ''].join('\n'))
  const registries = join(folder, 'registries.conf')
  const insecure = insecureRegistries.flatMap((host) => ['[[registry]]', `location = "${host}"`, 'insecure = true'])
  writeFileSync(registries, [...insecure, ''].join('\n'))
  return { CONTAINERS_CONF: settings, CONTAINERS_STORAGE_CONF: storage, CONTAINERS_REGISTRIES_CONF: registries }
}

const applets =
  'sh cat sleep id ls echo nc httpd kill env touch rm mkdir head tail seq true false chmod stat yes tr wc wget base64 ln readlink ip'

/** A root file system as a tar. */
const makeBundle = (folder: string): string => {
  const root = join(folder, 'tiny')
  for (const name of ['bin', 'etc', 'tmp']) mkdirSync(join(root, name), { recursive: true })
  copyFileSync(busybox, join(root, 'bin/busybox'))
  for (const name of applets.split(' ')) symlinkSync('busybox', join(root, 'bin', name))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\napp:x:1000:1000::/:/bin/sh\n')
  const bundle = join(folder, 'tiny.tar')
  const { status } = spawnSync('tar', ['-C', root, '-cf', bundle, '.'])
  if (status !== 0) throw new Error('tar failed')
  return bundle
}

const untilConnectable = async (socket: string, service: ChildProcess): Promise<void> => {
  while (!hasEnded(service)) {
    const connection = createConnection(socket)
    const answer = await Promise.race([
      once(connection, 'connect').then(() => true),
      once(connection, 'error').then(() => false),
    ]).catch(() => false)
    connection.destroy()
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('podman system service ended at once')
}
