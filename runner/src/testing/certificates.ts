import { generate } from 'selfsigned'

/** PEM texts. */
export interface Authority {
  key: string
  certificate: string
}
export interface ServerIdentity {
  privateKey: Buffer
  certificateChain: Buffer
}

/** A certificate authority of our own. */
export const makeAuthority = async (name: string): Promise<Authority> => {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return { key: made.private, certificate: made.cert }
}

/** Key and certificate of a server on this machine, signed by `authority`. */
export const makeServerIdentity = async (authority: Authority, host: string): Promise<ServerIdentity> => {
  const made = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: authority.key, cert: authority.certificate },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
  return { privateKey: Buffer.from(made.private), certificateChain: Buffer.from(made.cert) }
}
