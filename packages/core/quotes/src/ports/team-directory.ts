/** Teams, their producers and their appointments. Implemented by the host that keeps accounts. */
export interface TeamDirectory {
  /** True if a producer of this team has this e-mail address, ignoring case. */
  hasProducer(teamId: string, email: string): Promise<boolean>;
  /**
   * Abbreviations of the states in which a producer is licensed; null means all. Without this method licences are not
   * checked.
   */
  licensedStates?(teamId: string, email: string): Promise<readonly string[] | null>;
  /**
   * True if this team was removed: its personal data is erased. Rejects if that is unknown. Without this method no data
   * is erased.
   */
  isRemoved?(teamId: string): Promise<boolean>;
  /** The appointments of this team. A carrier can appear several times with different restrictions. */
  appointments(teamId: string): Promise<readonly Appointment[]>;
}

/** The right of a team to request quotes from a carrier. */
export interface Appointment {
  readonly carrierKey: string;
  /** Lower-case abbreviations. @default all states */
  readonly states?: readonly string[] | undefined;
  /** Form types, for example `ho3`. @default all form types */
  readonly formTypes?: readonly string[] | undefined;
}
