import { type DestinationStream, type Logger, pino } from 'pino'

/** Static message plus fields: `log.info({ runId }, 'run finished')`. Child loggers per run and delivery. */
export type Log = Logger

export interface LogOptions {
  readonly level: string
  readonly pretty: boolean
  readonly destination?: DestinationStream
}

/** Names under which a secret might be logged by mistake; redaction is at the sink, so that no caller can forget it. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'token', 'credential', 'private_key', 'value']

export function createLog(options: LogOptions): Log {
  const paths = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `headers["${name}"]`])
  const settings = { level: options.level, redact: { paths, censor: '***' }, base: null }
  if (options.destination) return pino(settings, options.destination)
  if (!options.pretty) return pino(settings, pino.destination({ dest: 2, sync: true }))
  return pino({
    ...settings,
    transport: { target: 'pino-pretty', options: { destination: 2, translateTime: 'SYS:HH:MM:ss.l', sync: true } },
  })
}
