/** A file of an export, by its path in the folder that the export makes. */
export interface ExportedFile {
  readonly path: string;
  readonly content: string;
}
