/** One of the first list, then so many of the second one, and so on; what is left of either follows. */
export function spread<T>(some: readonly T[], others: readonly T[], othersEach: number): T[] {
  return [
    ...some.flatMap((one, i) => [one, ...others.slice(i * othersEach, (i + 1) * othersEach)]),
    ...others.slice(some.length * othersEach),
  ];
}
