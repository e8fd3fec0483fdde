import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { CertificateFiles } from './certificate.ts'

export interface MadeCertificate {
  readonly certificate: string
  readonly key: string
}

/** A certificate of this machine that vouches for itself, valid for the days before and after now that are given. */
export async function makeCertificate(
  name: string,
  days: readonly [before: number, after: number] = [1, 1],
): Promise<MadeCertificate> {
  const at = (offset: number): Date => new Date(Date.now() + offset * 86_400_000)
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: at(-days[0]),
    notAfterDate: at(days[1]),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { certificate: made.cert, key: made.private }
}

/** Writes both files of a pair and answers where they are. */
export function writeCertificate(folder: string, { certificate, key }: MadeCertificate): CertificateFiles {
  const files = {
    certificate: { option: 'tls_certificate_file', path: join(folder, 'certificate.pem') },
    key: { option: 'tls_key_file', path: join(folder, 'key.pem') },
  }
  writeFileSync(files.key.path, key, { mode: 0o600 })
  writeFileSync(files.certificate.path, certificate)
  return files
}
