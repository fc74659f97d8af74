/** Teams, producers and appointments, implemented by the host. */
export interface TeamDirectory {
  /** Ignores case. */
  hasProducer(teamId: string, email: string): Promise<boolean>;
  /** Abbreviations of states; null means all. @default licences are not checked */
  licensedStates?(teamId: string, email: string): Promise<readonly string[] | null>;
  /** Removed: its personal data is erased. Rejects if unknown. @default no data is erased */
  isRemoved?(teamId: string): Promise<boolean>;
  /** A carrier can appear several times with different restrictions. */
  appointments(teamId: string): Promise<readonly Appointment[]>;
}

/** A team's right to request quotes from a carrier. */
export interface Appointment {
  readonly carrierKey: string;
  /** Lower-case abbreviations. @default all states */
  readonly states?: readonly string[] | undefined;
  /** For example `ho3`. @default all form types */
  readonly formTypes?: readonly string[] | undefined;
}
