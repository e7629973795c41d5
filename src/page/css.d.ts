/** Styles as text, as the build has them. */
declare module '*.css' {
  const text: string;
  export default text;
}
