/** Output formats of commands with findings. */
export const reportFormats = ['text', 'json', 'markdown', 'junit', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];
