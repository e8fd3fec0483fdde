import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { type Certificate, type CertificateFiles, CertificateWrong, readCertificate } from './certificate.ts'

/** A renewed certificate is served after at most this long; reading two small files costs nothing. */
export const LOOK_MS = 5000
const DAY_MS = 86_400_000
/** Programs that renew certificates by themselves do so 30 days before the end. */
const SOON_DAYS = 14

/** The certificate of one port. */
export interface KeptCertificate {
  current(): Certificate
  /** Why the files as they are now are not served; undefined while they are. */
  fault(): string | undefined
  /** Called with each new certificate. */
  onChange(listener: (certificate: Certificate) => void): void
  /** Looks at the files until the signal aborts. */
  watch(signal: AbortSignal): Promise<void>
}

/**
 * Reads the files, and reads them again when they change. The watch compares the content, because a watch on the path
 * does not see exchanged links (Kubernetes). Certificate and key are taken together; a pair that does not fit leaves
 * the old served. Throws CertificateWrong where there is no good one to begin with.
 */
export function keepCertificate(files: CertificateFiles, clock: Clock, log: Log): KeptCertificate {
  let current = readCertificate(files, clock.now())
  let fault: string | undefined
  let warnedAt = Number.NEGATIVE_INFINITY
  const listeners: ((certificate: Certificate) => void)[] = []

  function look(): void {
    try {
      const next = readCertificate(files, clock.now())
      fault = undefined
      if (next.chain.equals(current.chain) && next.key.equals(current.key)) return
      current = next
      log.info({ file: files.certificate.path, notAfter: next.notAfter }, 'a renewed certificate is served')
      for (const listener of listeners) listener(next)
    } catch (error) {
      if (!(error instanceof CertificateWrong)) throw error
      // Once for each fault: it is looked at all the time.
      if (fault !== error.message)
        log.error({ reason: error.message }, 'the certificate is not renewed: the old one stays')
      fault = error.message
    }
  }

  function warnOfEnd(): void {
    const left = current.notAfter.getTime() - clock.now().getTime()
    if (left > SOON_DAYS * DAY_MS || clock.monotonic() - warnedAt < DAY_MS) return
    warnedAt = clock.monotonic()
    log.warn({ file: files.certificate.path, notAfter: current.notAfter }, 'a certificate ends soon: renew it')
  }

  return {
    current: () => current,
    fault: () => fault,
    onChange: (listener) => void listeners.push(listener),
    async watch(signal) {
      while (!signal.aborted) {
        warnOfEnd()
        await clock.sleep(LOOK_MS, signal)
        if (!signal.aborted) look()
      }
    },
  }
}
