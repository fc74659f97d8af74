import { resolve } from 'node:path';
import { readSettings, type Settings } from '../settings/read-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { readStoreSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';
import type { CertificateKeySettings } from './certificate-keys.ts';

/** Settings of certificates. */
export interface CertificateSettings extends CertificateKeySettings {
  /** `LEEWARD_CERTIFICATE_ISSUER` */
  readonly issuer: string | undefined;
  /** `LEEWARD_LETTERS`, an absolute path. */
  readonly lettersFolder: string | undefined;
}

/** Those of a command. @throws {CommandError} With every fault. */
export function certificateSettings(terminal: Pick<Terminal, 'environment' | 'folder'>): CertificateSettings {
  const faults: string[] = [];
  const settings = readSettings(terminal, faults);
  const read = readCertificateSettings(settings, terminal.folder, faults);
  refuseFaults(faults);
  return { ...read, ...readStoreSettings(settings, terminal.folder) };
}

/** Those of settings that were read; faults are added to the list. */
export function readCertificateSettings(
  settings: Settings,
  folder: string,
  faults: string[],
): Pick<CertificateSettings, 'certificateKey' | 'certificateKeyFile' | 'issuer' | 'lettersFolder'> {
  const certificateKey = settings.value('certificate_key');
  const file = settings.value('certificate_key_file');
  const letters = settings.value('letters');
  if (certificateKey !== undefined && file !== undefined)
    faults.push('LEEWARD_CERTIFICATE_KEY and LEEWARD_CERTIFICATE_KEY_FILE both name a key; unset one of them.');
  return {
    certificateKey,
    certificateKeyFile: file === undefined ? undefined : resolve(folder, file),
    issuer: settings.value('certificate_issuer'),
    lettersFolder: letters === undefined ? undefined : resolve(folder, letters),
  };
}
