import type { z } from 'zod';
import type { appointmentItem, createAppointmentRequest, updateAppointmentRequest } from './resources/appointments.ts';
import type { auditItem } from './resources/audit.ts';
import type { carrierItem, createCarrierRequest, updateCarrierRequest } from './resources/carriers.ts';
import type {
  createOrganizationRequest,
  organizationItem,
  updateOrganizationRequest,
} from './resources/organizations.ts';
import type { createOverrideRequest, overrideItem, updateOverrideRequest } from './resources/overrides.ts';
import type { createProducerRequest, producerItem, updateProducerRequest } from './resources/producers.ts';
import type { createTeamRequest, teamItem, updateTeamRequest } from './resources/teams.ts';
import type { createTokenRequest, rotateTokenRequest, updateTokenRequest } from './resources/tokens.ts';

/** What administration takes and answers, as it travels. The schemas that check it are the source of these types. */
export type CreateOrganizationRequest = z.input<typeof createOrganizationRequest>;
export type UpdateOrganizationRequest = z.input<typeof updateOrganizationRequest>;
export type OrganizationItem = z.output<typeof organizationItem>;

export type CreateTeamRequest = z.input<typeof createTeamRequest>;
export type UpdateTeamRequest = z.input<typeof updateTeamRequest>;
export type TeamItem = z.output<typeof teamItem>;

export type CreateProducerRequest = z.input<typeof createProducerRequest>;
export type UpdateProducerRequest = z.input<typeof updateProducerRequest>;
export type ProducerItem = z.output<typeof producerItem>;

export type CreateAppointmentRequest = z.input<typeof createAppointmentRequest>;
export type UpdateAppointmentRequest = z.input<typeof updateAppointmentRequest>;
export type AppointmentItem = z.output<typeof appointmentItem>;

export type CreateCarrierRequest = z.input<typeof createCarrierRequest>;
export type UpdateCarrierRequest = z.input<typeof updateCarrierRequest>;
export type CarrierItem = z.output<typeof carrierItem>;

export type CreateOverrideRequest = z.input<typeof createOverrideRequest>;
export type UpdateOverrideRequest = z.input<typeof updateOverrideRequest>;
export type OverrideItem = z.output<typeof overrideItem>;

export type CreateTokenRequest = z.input<typeof createTokenRequest>;
export type UpdateTokenRequest = z.input<typeof updateTokenRequest>;
export type RotateTokenRequest = z.input<typeof rotateTokenRequest>;

export type AuditItem = z.output<typeof auditItem>;
