export { startLocalProvider } from './testing/local-provider.ts'
export { createProviderBrowser } from './testing/provider-browser.ts'
export { encode, makeSigningKey, readClaims } from './testing/signing-key.ts'
