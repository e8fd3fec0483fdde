import { type Config, ConfigWrong } from '#platform/config'
import type { Log } from '#platform/log'
import type { Metrics } from '#platform/metrics'
import type { Clock } from '#platform/time'
import { type CertificateFiles, CertificateWrong, type KeptCertificate, keepCertificate } from '#platform/tls'

/** The certificates of the two ports; undefined where a port speaks plain. */
export interface Certificates {
  readonly api: KeptCertificate | undefined
  readonly runners: KeptCertificate | undefined
}

/**
 * Throws ConfigWrong where a pair is half configured, cannot be used, or is missing for runners outside loopback: runners carry
 * secrets.
 */
export function openCertificates(config: Config, clock: Clock, log: Log): Certificates {
  const open = (certificate: readonly [string, string | undefined], key: readonly [string, string | undefined]) => {
    const files = requireBoth(certificate, key)
    return files && keepCertificate(files, clock, log)
  }
  try {
    const runners = open(['runner_tls_cert', config.runnerTlsCert], ['runner_tls_key', config.runnerTlsKey])
    if (!runners && !/^(127\.|::1$|localhost$)/.test(config.runnerHost)) {
      throw new ConfigWrong(
        `runner_host is ${config.runnerHost}, which is not loopback: set runner_tls_cert and runner_tls_key, or keep 127.0.0.1.`,
      )
    }
    const api = open(['tls_certificate_file', config.tlsCertificateFile], ['tls_key_file', config.tlsKeyFile])
    return { api, runners }
  } catch (error) {
    throw error instanceof CertificateWrong ? new ConfigWrong(error.message) : error
  }
}

function requireBoth(
  [certificateOption, certificate]: readonly [string, string | undefined],
  [keyOption, key]: readonly [string, string | undefined],
): CertificateFiles | undefined {
  if (certificate !== undefined && key !== undefined) {
    return { certificate: { option: certificateOption, path: certificate }, key: { option: keyOption, path: key } }
  }
  if (certificate === undefined && key === undefined) return undefined
  const [given, missing] = certificate === undefined ? [keyOption, certificateOption] : [certificateOption, keyOption]
  throw new ConfigWrong(`${given} is set and ${missing} is not: set both, or none.`)
}

export function registerCertificateMetrics(metrics: Metrics, certificates: Certificates): void {
  const ends = metrics.gauge(
    'signalbox_tls_certificate_end_seconds',
    'When the served certificate of a port ends, Unix time',
    ['port'],
  )
  const faults = metrics.gauge(
    'signalbox_tls_certificate_fault',
    '1 while the files of a certificate cannot be used and the one before is served',
    ['port'],
  )
  const kept = [
    ['api', certificates.api],
    ['runners', certificates.runners],
  ] as const
  metrics.onScrape(async () => {
    for (const [port, certificate] of kept) {
      if (!certificate) continue
      ends.set({ port }, certificate.current().notAfter.getTime() / 1000)
      faults.set({ port }, certificate.fault() === undefined ? 0 : 1)
    }
  })
}
