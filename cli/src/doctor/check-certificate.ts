import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { messageOf, systemCode } from '../errors.ts'
import type { Finding } from './finding.ts'

const SOON_DAYS = 14
const DAY_MS = 86_400_000
const TIMEOUT_MS = 5000

/** The files of a certificate on this machine, as the next start or the next look of a running server finds them. */
export function checkCertificateFiles(name: string, certificatePath: string, keyPath: string): Finding {
  const remedy =
    'Put a certificate and its key there that fit; a running control plane serves the ones before until then.'
  try {
    const certificate = new X509Certificate(readFileSync(certificatePath))
    const key = readKey(keyPath)
    if (key !== undefined && !certificate.checkPrivateKey(key)) {
      return { level: 'fail', name, message: `${keyPath} does not belong to ${certificatePath}.`, remedy }
    }
    return judgeEnd(name, certificatePath, certificate.validToDate)
  } catch (error) {
    return {
      level: 'fail',
      name,
      message: `${certificatePath} and ${keyPath} cannot be used: ${messageOf(error)}.`,
      remedy,
    }
  }
}

/** A key that only the server's account may read is as it should be. */
function readKey(path: string): ReturnType<typeof createPrivateKey> | undefined {
  try {
    return createPrivateKey(readFileSync(path))
  } catch (error) {
    if (systemCode(error) === 'EACCES') return undefined
    throw error
  }
}

/** The certificate that a control plane serves; undefined where it speaks plain HTTP, or cannot be reached. */
export async function checkServedCertificate(url: string): Promise<Finding | undefined> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  // Whether it is trusted is what every other request finds out.
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error('no answer in time')))
  try {
    await once(socket, 'secureConnect')
    return judgeEnd('certificate', url, new Date(socket.getPeerCertificate().valid_to))
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

function judgeEnd(name: string, where: string, end: Date): Finding {
  const days = Math.floor((end.getTime() - Date.now()) / DAY_MS)
  const remedy = 'Renew it; a running control plane takes the new files by itself.'
  if (days < 0)
    return { level: 'fail', name, message: `The certificate of ${where} ended at ${end.toISOString()}.`, remedy }
  const message = `The certificate of ${where} is good until ${end.toISOString()}.`
  return days < SOON_DAYS ? { level: 'warn', name, message, remedy } : { level: 'ok', name, message }
}
