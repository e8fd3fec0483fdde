import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** The two files of a certificate, and the options that name them, for sentences. */
export interface CertificateFiles {
  readonly certificate: { readonly option: string; readonly path: string }
  readonly key: { readonly option: string; readonly path: string }
}

/** PEM texts that fit each other, and are valid by now. */
export interface Certificate {
  readonly chain: Buffer
  readonly key: Buffer
  readonly notAfter: Date
}

/** One sentence that names the option and the file, and says what to do. */
export class CertificateWrong extends Error {
  override readonly name = 'CertificateWrong'
  readonly code = 'tls.certificate_wrong'
}

/** Throws CertificateWrong where a file cannot be read or is no PEM, where they do not fit, and outside the time of validity. */
export function readCertificate(files: CertificateFiles, now: Date): Certificate {
  const { certificate, key } = files
  const chain = readPem(certificate)
  const keyPem = readPem(key)
  const leaf = attempt(() => new X509Certificate(chain), `${nameOf(certificate)} holds no PEM certificate`)
  const privateKey = attempt(
    () => createPrivateKey(keyPem),
    `${nameOf(key)} holds no PEM private key without a passphrase`,
  )
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new CertificateWrong(`${nameOf(key)} does not belong to the first certificate of ${nameOf(certificate)}.`)
  }
  attempt(() => createSecureContext({ cert: chain, key: keyPem }), `${nameOf(certificate)} cannot be used for TLS`)
  if (leaf.validFromDate > now) {
    throw new CertificateWrong(
      `${nameOf(certificate)} is valid from ${leaf.validFromDate.toISOString()} on: look at the clock.`,
    )
  }
  if (leaf.validToDate <= now) {
    throw new CertificateWrong(`${nameOf(certificate)} ended at ${leaf.validToDate.toISOString()}: renew it.`)
  }
  return { chain, key: keyPem, notAfter: leaf.validToDate }
}

type NamedFile = CertificateFiles['certificate']

function nameOf({ option, path }: NamedFile): string {
  return `${option} (${path})`
}

function readPem(file: NamedFile): Buffer {
  return attempt(() => readFileSync(file.path), `${nameOf(file)} cannot be read`)
}

function attempt<T>(work: () => T, what: string): T {
  try {
    return work()
  } catch (error) {
    throw new CertificateWrong(`${what}: ${error instanceof Error ? error.message : String(error)}.`, { cause: error })
  }
}
