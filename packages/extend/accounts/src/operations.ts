export { writeAudit } from './administration/audit-log.ts';
export { type Authority, authorityOf, forbidden, mayReach, organizationOf } from './administration/authority.ts';
export {
  carrierKeyField,
  formatValue,
  identifierField,
  instantField,
  nameField,
  organizationField,
  revisionField,
  unprintable,
} from './administration/fields.ts';
export { answersAgain } from './administration/idempotency.ts';
export { itemFields, keptOf, meaningOf } from './administration/item-fields.ts';
export { type Call, createOperation, type Services } from './administration/operation.ts';
export { pageFields, pageOf, readPage } from './administration/page.ts';
export { createResource, findReachable, type Resource, refuseStale } from './administration/resource.ts';
export { conflict, invalid, notFound } from './administration-error.ts';
export type { AuditChanges, AuditRecord } from './audit/audit-entry.ts';
export { isIdentifier } from './identifier.ts';
export { DuplicateRecordError, type Equals, type StoreReader, type StoreWriter } from './store/account-store.ts';
export type {
  CarrierRecord,
  HazardEventRecord,
  Kind,
  MoratoriumRecord,
  OverrideRecord,
  PublicationRecord,
  Records,
  RegistryRecord,
  RuleSetRecord,
  RuleSetStatus,
  SavedDecisionRecord,
  UserRecord,
} from './store/records.ts';
export { OPERATOR_TOKEN_ID } from './token/operator-token.ts';
