export type { CertificateKey } from '@leeward/certificate/verify';
export {
  type Certificate,
  type CertificateContent,
  type CertificateVerdict,
  certificateSchema,
  type DeclinationLetter,
} from './content/certificate-schema.ts';
export {
  type IssuedCertificate,
  type IssueOptions,
  issueCertificate,
  type MapPorts,
} from './issue/issue-certificate.ts';
export {
  CertificateKeyError,
  type CertificateSigner,
  createCertificateKey,
  createKeySigner,
  type PrivateCertificateKey,
  readCertificateKeys,
} from './keys/certificate-keys.ts';
export { TemplateError } from './letter/template.ts';
export { createLetters, type LetterTemplates, type WriteLetters } from './letter/write-letters.ts';
export { type CertificatePorts, certificateRoutes } from './routes/certificate-routes.ts';
