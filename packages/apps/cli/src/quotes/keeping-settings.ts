import type { Database } from '@leeward/database';
import { type FieldEncryption, openFieldKeys, UnreadableFieldsError } from '@leeward/quotes';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { awsKmsSettings, createAwsKms } from './aws-kms.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings for personal data and webhook targets. */
export interface KeepingSettings {
  /** `LEEWARD_KMS_KEY_ID`, else `LEEWARD_FIELDS_KEY`; previous keys are the others and `LEEWARD_FIELDS_PREVIOUS_KEYS`. */
  readonly encryption: FieldEncryption | undefined;
  /** `LEEWARD_PERSONAL_DATA_DAYS`, default 90. */
  readonly personalDataDays: number;
  /** `LEEWARD_FINISHED_QUOTE_DAYS`; undefined keeps finished quotes for ever. */
  readonly finishedQuoteDays: number | undefined;
  /** `LEEWARD_EXCHANGE_DAYS`, default 7; 0 keeps no exchanges with carriers. */
  readonly exchangeDays: number;
  /** `LEEWARD_PRIVATE_WEBHOOKS`, default false. */
  readonly allowPrivateWebhooks: boolean;
  /** `LEEWARD_WEBHOOK_PORTS`, default 443 and 8443. */
  readonly webhookPorts: readonly number[];
}

/** @throws {CommandError} With every fault and without keys. */
export function keepingSettings(environment: Environment): KeepingSettings {
  const faults: string[] = [];
  const key = (name: string, text: string) => {
    const [, id = '', secret = ''] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(text.trim()) ?? [];
    if (secret === '') {
      faults.push(`${name} is an id, a colon, and 32 bytes in base64 (k1:$(openssl rand -base64 32)); this is not.`);
    }
    return { id, key: secret };
  };
  const current = environment['LEEWARD_FIELDS_KEY'] || undefined;
  const previous = environment['LEEWARD_FIELDS_PREVIOUS_KEYS'] || undefined;
  const local = current === undefined ? undefined : key('LEEWARD_FIELDS_KEY', current);
  const kms = awsKmsSettings(environment, faults);
  const older = previous?.split(',').map((text) => key('each of LEEWARD_FIELDS_PREVIOUS_KEYS', text));
  if (older !== undefined && local === undefined && kms === undefined) {
    faults.push('LEEWARD_FIELDS_PREVIOUS_KEYS needs LEEWARD_FIELDS_KEY, which is not set.');
  }
  const ids = [local, ...(older ?? [])].flatMap((each) => each?.id || []);
  if (new Set(ids).size < ids.length) faults.push('Two keys for fields have the same id; give each a different id.');
  const days = environment['LEEWARD_PERSONAL_DATA_DAYS'] || undefined;
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days)) {
    faults.push(`LEEWARD_PERSONAL_DATA_DAYS is ${JSON.stringify(days)}; give a whole number of days, 1 or more.`);
  }
  const ports = (environment['LEEWARD_WEBHOOK_PORTS'] || '443,8443').split(',').map((text) => text.trim());
  const wrong = ports.find((text) => !/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535);
  if (wrong !== undefined) {
    faults.push(`LEEWARD_WEBHOOK_PORTS has ${JSON.stringify(wrong)}; give ports from 1 to 65535, separated by commas.`);
  }
  const finishedDays = environment['LEEWARD_FINISHED_QUOTE_DAYS'] || undefined;
  if (finishedDays !== undefined && !/^[1-9]\d{0,4}$/.test(finishedDays)) {
    faults.push(
      `LEEWARD_FINISHED_QUOTE_DAYS is ${JSON.stringify(finishedDays)}; give a whole number of days, 1 or more, or nothing to keep finished quotes.`,
    );
  }
  const exchangeDays = environment['LEEWARD_EXCHANGE_DAYS'] || '7';
  if (!/^\d{1,3}$/.test(exchangeDays)) {
    faults.push(`LEEWARD_EXCHANGE_DAYS is ${JSON.stringify(exchangeDays)}; give a whole number of days, 0 for none.`);
  }
  refuseFaults(faults);
  return {
    encryption:
      kms !== undefined
        ? { current: createAwsKms(kms), previous: [...(local === undefined ? [] : [local]), ...(older ?? [])] }
        : local && { current: local, previous: older },
    personalDataDays: Number(days ?? 90),
    finishedQuoteDays: finishedDays === undefined ? undefined : Number(finishedDays),
    exchangeDays: Number(exchangeDays),
    allowPrivateWebhooks: environment['LEEWARD_PRIVATE_WEBHOOKS'] === 'true',
    webhookPorts: ports.map(Number),
  };
}

/** Warnings about personal data, while settings can still change. */
export function personalDataWarnings(environment: Environment): readonly { code: string; message: string }[] {
  if (keepingSettings(environment).encryption !== undefined) return [];
  const message =
    'Personal data of quotes is kept in plain text: set LEEWARD_FIELDS_KEY (k1:$(openssl rand -base64 32)) to encrypt it.';
  return [{ code: 'personal_data_unencrypted', message }];
}

/** The missing or wrong key, if stored data cannot be read; quotes would fail. */
export async function findUnreadableFields(
  database: Database,
  environment: Environment = {},
): Promise<UnreadableFieldsError | undefined> {
  const { encryption } = keepingSettings(environment);
  try {
    await openFieldKeys({ database, encryption }).check();
    return undefined;
  } catch (error) {
    if (error instanceof UnreadableFieldsError) return error;
    throw error;
  }
}
