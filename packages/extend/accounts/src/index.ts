export type { Fault } from '@leeward/terms';
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.ts';
export type { Access, AccessList, RestrictedAccess } from './administration/access-list.ts';
export type { Administration } from './administration/administration.ts';
export type { AuditEntry, AuditTrail } from './administration/audit-trail.ts';
export type { Actor, SystemActor } from './administration/authority.ts';
export type { Limits } from './administration/limits.ts';
export type { CallContext, CarrierCatalog, Operation, Services } from './administration/operation.ts';
export type { MintedTokenItem, TokenItem } from './administration/resources/token-item.ts';
export type { UserItem } from './administration/resources/users.ts';
export type { Identity, OpenedSession, SessionLimits, SignIn, SignInContext } from './administration/sign-in.ts';
export { AdministrationError, type AdministrationErrorCode } from './administration-error.ts';
export { type AppointmentIndex, type AppointmentQuery, createAppointmentIndex } from './appointment-index.ts';
export type { AuditHead, AuditItem } from './audit/audit-entry.ts';
export { type AuditLineReading, readAuditLine } from './audit/audit-line.ts';
export {
  type AuditFault,
  type AuditRange,
  type AuditReport,
  type AuditVerifier,
  createAuditVerifier,
  type VerifyAuditOptions,
  verifyAudit,
} from './audit/verify-audit.ts';
export type {
  Appointment,
  Caller,
  CarrierOverride,
  CustomCarrier,
  Directory,
  NarrowedCarrier,
  Organization,
  OrganizationCatalog,
  OrganizationRules,
  Producer,
  Team,
  User,
} from './directory.ts';
export type { AccountStore } from './store/account-store.ts';
export { createMemoryStore } from './store/memory-store.ts';
export { accountsMigrations } from './store/migrations.ts';
export { createSqlStore } from './store/sql-store.ts';
export type { OrganizationRulesReader } from './store-directory.ts';
export { AuditDeliveryError, type AuditDestination, type AuditLine } from './stream/audit-destination.ts';
export {
  type AuditStreamEvent,
  type AuditStreamStatus,
  type AuditStreams,
  type AuditStreamsOptions,
  createAuditStreams,
} from './stream/audit-streams.ts';
export { createFileDestination } from './stream/file-destination.ts';
export { createSyslogDestination, type SyslogReceiver } from './stream/syslog-destination.ts';
export type { Scope } from './vocabulary/scopes.ts';
