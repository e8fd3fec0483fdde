export { type CertificateFiles, CertificateWrong, readCertificate } from './certificate.ts'
export { type KeptCertificate, keepCertificate } from './keep-certificate.ts'
export { createSecureServer } from './secure-server.ts'
