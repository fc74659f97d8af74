import type { z } from 'zod';
import type { AppointmentSchemas } from './resources/appointments.ts';
import type { auditItem } from './resources/audit.ts';
import type { carrierItem, createCarrierRequest, updateCarrierRequest } from './resources/carriers.ts';
import type {
  createOrganizationRequest,
  organizationItem,
  updateOrganizationRequest,
} from './resources/organizations.ts';
import type { createOverrideRequest, overrideItem, updateOverrideRequest } from './resources/overrides.ts';
import type { createProducerRequest, producerItem, updateProducerRequest } from './resources/producers.ts';
import type { TeamSchemas } from './resources/teams.ts';
import type { createTokenRequest, rotateTokenRequest, updateTokenRequest } from './resources/tokens.ts';

/** Wire types of administration, derived from the schemas that check them. */
export type CreateOrganizationRequest = z.input<typeof createOrganizationRequest>;
/** Body that changes an organization; `revision` is the one that was read. */
export type UpdateOrganizationRequest = z.input<typeof updateOrganizationRequest>;
/** An organization as the API shows it. */
export type OrganizationItem = z.output<typeof organizationItem>;

/** Body that makes a team. */
export type CreateTeamRequest = z.input<TeamSchemas['create']>;
/** Body that changes a team; `revision` is the one that was read. */
export type UpdateTeamRequest = z.input<TeamSchemas['update']>;
/** A team as the API shows it. */
export type TeamItem = z.output<TeamSchemas['item']>;

/** Body that adds a producer to a team. */
export type CreateProducerRequest = z.input<typeof createProducerRequest>;
/** Body that changes a producer; `revision` is the one that was read. */
export type UpdateProducerRequest = z.input<typeof updateProducerRequest>;
/** A producer as the API shows it. */
export type ProducerItem = z.output<typeof producerItem>;

/** Body that appoints a carrier to an organization. */
export type CreateAppointmentRequest = z.input<AppointmentSchemas['create']>;
/** Body that changes an appointment; `revision` is the one that was read. */
export type UpdateAppointmentRequest = z.input<AppointmentSchemas['update']>;
/** An appointment as the API shows it. */
export type AppointmentItem = z.output<AppointmentSchemas['item']>;

/** Body that enters a carrier of an organization's own: its rule set, checked whole. */
export type CreateCarrierRequest = z.input<typeof createCarrierRequest>;
/** Body that replaces the rule set of an organization's own carrier; `revision` is the one that was read. */
export type UpdateCarrierRequest = z.input<typeof updateCarrierRequest>;
/** A carrier of an organization's own as the API shows it. */
export type CarrierItem = z.output<typeof carrierItem>;

/** Body that adds rules of an organization to a carrier's. */
export type CreateOverrideRequest = z.input<typeof createOverrideRequest>;
/** Body that replaces such rules; `revision` is the one that was read. */
export type UpdateOverrideRequest = z.input<typeof updateOverrideRequest>;
/** Rules of an organization on top of a carrier's, as the API shows them. */
export type OverrideItem = z.output<typeof overrideItem>;

/** Body that makes a token. */
export type CreateTokenRequest = z.input<typeof createTokenRequest>;
/** Body that renames a token; `revision` is the one that was read. */
export type UpdateTokenRequest = z.input<typeof updateTokenRequest>;
/** Body that makes a token's successor; the old one goes on for `overlap_hours`. */
export type RotateTokenRequest = z.input<typeof rotateTokenRequest>;

/** A line of the audit log as the API shows it. */
export type AuditItem = z.output<typeof auditItem>;
