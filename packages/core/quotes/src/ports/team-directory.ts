/** What quoting needs to know of teams, their producers and the carriers they may ask. Whoever keeps accounts implements it. */
export interface TeamDirectory {
  /** Whether a producer of this team has this e-mail address. Compared without regard to case. */
  hasProducer(teamId: string, email: string): Promise<boolean>;
  /** Abbreviations of the states that this producer of the team is licensed in; null is all. Left out, nobody is asked. */
  licensedStates?(teamId: string, email: string): Promise<readonly string[] | null>;
  /**
   * Whether this team is no more, so that the personal data of its quotes is erased. Rejects when that cannot be told. Left
   * out, nothing is erased for it.
   */
  isRemoved?(teamId: string): Promise<boolean>;
  /** The carriers this team may ask. A carrier may come several times, with different restrictions. */
  appointments(teamId: string): Promise<readonly Appointment[]>;
}

/** A carrier that a team may ask, and for which states and form types; all where none is named. */
export interface Appointment {
  readonly carrierKey: string;
  /** Lower-case abbreviations; all states where left out. */
  readonly states?: readonly string[] | undefined;
  /** Form types, as `ho3`; all where left out. */
  readonly formTypes?: readonly string[] | undefined;
}
