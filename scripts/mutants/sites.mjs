// Every place of a source file at which a small change would be a defect that some test should find. Numbers are left
// out: most are bounds, sizes and times, of which one more or less is as right.
import { SyntaxKind } from 'typescript/unstable/ast';
import { isTypeNode } from 'typescript/unstable/ast/is';

/** A kind's own name, which comes first: others, as FirstBinaryOperator, tell the ends of ranges. */
const NAMES = new Map(
  Object.entries(SyntaxKind)
    .filter(([, kind]) => typeof kind === 'number')
    .toReversed()
    .map(([own, kind]) => [kind, own]),
);
const name = (kind) => NAMES.get(kind);

/** By operator. Of a comparison its edge and its opposite. */
const OPERATORS = {
  LessThanToken: ['boundary', '<=', '>='],
  LessThanEqualsToken: ['boundary', '<', '>'],
  GreaterThanToken: ['boundary', '>=', '<='],
  GreaterThanEqualsToken: ['boundary', '>', '<'],
  EqualsEqualsEqualsToken: ['equality', '!=='],
  ExclamationEqualsEqualsToken: ['equality', '==='],
  AmpersandAmpersandToken: ['logic', '||'],
  BarBarToken: ['logic', '&&'],
  PlusToken: ['arithmetic', '-'],
  MinusToken: ['arithmetic', '+'],
  AsteriskToken: ['arithmetic', '/'],
  SlashToken: ['arithmetic', '*'],
};

/** What these hold is not run, or is words for people. */
const SKIPPED = new Set(['ImportDeclaration', 'ExportDeclaration', 'InterfaceDeclaration', 'TypeAliasDeclaration']);
const IS_TALK = /(\.describe|\blog(ger)?\.\w+|\.log\.\w+)$/;
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);

/** @returns [{ kind, start, end, before, after }], where `after` may stand in place of `before` */
export function mutationSites(sourceFile) {
  const { text } = sourceFile;
  const sites = [];
  const add = (kind, node, ...afters) => {
    const start = node.getStart();
    const before = text.slice(start, node.end);
    for (const after of afters) sites.push({ kind, start, end: node.end, before, after });
  };
  const visit = (node) => {
    if (SKIPPED.has(name(node.kind)) || isTypeNode(node)) return;
    if (name(node.kind) === 'CallExpression' && IS_TALK.test(node.expression.getText())) {
      // What a field is, is left of its description.
      visit(node.expression);
      return;
    }
    CHANGES[name(node.kind)]?.(node, add);
    node.forEachChild(visit);
  };
  sourceFile.forEachChild(visit);
  return sites;
}

const CHANGES = {
  BinaryExpression({ left, right, operatorToken }, add) {
    const [kind, ...afters] = OPERATORS[name(operatorToken.kind)] ?? [];
    const joinsText = [left, right].some(({ kind: side }) => /String|Template/.test(name(side)));
    if (kind !== undefined && !joinsText) add(kind, operatorToken, ...afters);
  },
  PrefixUnaryExpression(node, add) {
    if (node.getText().startsWith('!')) add('condition', node, node.operand.getText());
  },
  ConditionalExpression({ condition }, add) {
    add('condition', condition, `!(${condition.getText()})`);
  },
  IfStatement({ expression, thenStatement, elseStatement }, add) {
    add('condition', expression, `!(${expression.getText()})`);
    const last = thenStatement.statements?.at(-1) ?? thenStatement;
    if (elseStatement === undefined && LEAVES.has(name(last.kind))) add('early leave', expression, 'false');
  },
  ExpressionStatement(node, add) {
    const call = name(node.expression.kind) === 'AwaitExpression' ? node.expression.expression : node.expression;
    const callee = name(call.kind) === 'CallExpression' ? call.expression.getText() : 'super';
    if (callee !== 'super' && !IS_TALK.test(callee)) add('statement', node, ';');
  },
  TrueKeyword: (node, add) => add('boolean', node, 'false'),
  FalseKeyword: (node, add) => add('boolean', node, 'true'),
  StringLiteral(node, add) {
    // A text with a blank in it is a sentence for people.
    if (!isKey(node) && node.text !== '' && !node.text.includes(' ')) add('string', node, "''");
  },
};

/** The name of a property, not a value. */
function isKey(node) {
  const { parent } = node;
  return parent.name === node || name(parent.kind) === 'ComputedPropertyName';
}
