import { createPrivateKey, type KeyObject } from 'node:crypto'

/** GitHub makes keys of 2,048 bits; a shorter one is not of GitHub. */
const LEAST_BITS = 2048

type ReadKey = { readonly ok: true; readonly key: KeyObject } | { readonly ok: false; readonly fault: string }

/**
 * An RSA key in PEM, PKCS#1 as GitHub gives it or PKCS#8. Line ends may be CRLF, or the two characters `\n` of a text
 * that went through an environment variable. A fault never quotes the text.
 */
export function readPrivateKey(text: string): ReadKey {
  const pem = `${text.replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\r', '').trim()}\n`
  if (!/-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----/.test(pem)) {
    return { ok: false, fault: 'The text is no private key in PEM: it has no line "-----BEGIN RSA PRIVATE KEY-----".' }
  }
  if (/ENCRYPTED/.test(pem)) return { ok: false, fault: 'The private key is encrypted; store it without a passphrase.' }
  const key = parse(pem)
  if (key === undefined)
    return { ok: false, fault: 'The private key cannot be read; copy the whole file, all lines of it.' }
  if (key.asymmetricKeyType !== 'rsa')
    return { ok: false, fault: 'The private key is no RSA key; GitHub takes only those.' }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_BITS) {
    return { ok: false, fault: `The private key has ${bits} bits; GitHub's keys have at least ${LEAST_BITS}.` }
  }
  return { ok: true, key }
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    // The error may quote parts of the key.
    return undefined
  }
}
